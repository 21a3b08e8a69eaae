/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 5,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'e4915a8585f46297825ade16439d90b885b13d29bab53a92f13636a25cf22ecd',
} as const;
