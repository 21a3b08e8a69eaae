/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 74,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'cd0bb8dadb1c549a25506477578ab267cd546b070c7c69872a38d69da8c1edab',
} as const;
