/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 34,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '962299fd3d2db3f21f36c284e3c22e4165d246a0d5fcc27bc9eafde331285157',
} as const;
