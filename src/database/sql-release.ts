/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 11,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '63a38122de6fdb7632cc5d4b83f39f9fcf326d4c86950e43400532304a3a318e',
} as const;
