/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 35,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'df6ac03916892495c7a623f8ec28b015b496feaab11c5bc613eba646ebea6f23',
} as const;
