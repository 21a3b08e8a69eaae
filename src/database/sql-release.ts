/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 60,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '09bc2be845ef28af59b83cd84c15fa15741956509364ab8161481852afe6baa6',
} as const;
