/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 71,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '5123c19155a7a64b4741846411902c65d06b59611d80375847ead506b6eba102',
} as const;
