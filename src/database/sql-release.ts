/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 37,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '59a26289bbb283ab16829b34e6f76ef6ec7d1b2c6aac9a240852c60fefdaaaf3',
} as const;
