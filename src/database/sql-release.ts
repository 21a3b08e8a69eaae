/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 72,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'd58b063cbbae7ce9c261e4ab82528a93890d95da1f7d18a94d538dd52c6bfbd4',
} as const;
