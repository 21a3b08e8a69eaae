/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 67,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '60d28033e735b92f7294f58afdbd58396424ebf6bcbf769437a50d460230f866',
} as const;
