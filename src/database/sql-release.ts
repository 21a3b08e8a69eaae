/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 1,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '92f4dcec6d5afa66dba7a81456534d628d3b0db5f260db370238e77ebfe9265c',
} as const;
