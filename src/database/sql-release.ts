/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 18,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '73ca72c477d16187bd3c4f84cbc0bfad98e22ed7d2317b21d8d37cd09cda9dfe',
} as const;
