/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 76,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '1b5ca2362f8a7ef9b07f72393934cacfbffa82e93c016da1b6faa81551c3c183',
} as const;
