/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 66,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '106afb5c188323eb2e044837d85f95e01b6b353514d15d0e25704d139859b57d',
} as const;
