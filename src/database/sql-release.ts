/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 22,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '5e4c9ef541aace6c5ccb299bcb633df1be840026baa4feca0da934a593e5be5b',
} as const;
