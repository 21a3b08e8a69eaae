/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 21,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'eca9cc86bf9f115ae9260bdf7765e18844154898a41f1fc0d556450ae26bc246',
} as const;
