/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 54,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '741b7ff56a1eeaf78977de6f1c93e9f5aa1d827c3497bf039f02b6e6a3397289',
} as const;
