/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 10,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '69b831519adee5da1905391e1fc1541d1d45da93072407190b037b61ee5a64a9',
} as const;
