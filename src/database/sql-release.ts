/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 17,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '2134697c424cc0db662356d4e2709c564793c776b7b925f1507a372d9119bc2d',
} as const;
