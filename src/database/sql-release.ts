/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 33,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '131176025c3d6cc5e404e58cb3d9bbcb6e9eaa2d13e107f95c03ff4c628f4cbb',
} as const;
