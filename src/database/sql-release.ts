/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 14,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'a6f81e08ddc4350a8ff7391f6616d5490e82d9a5f94329e7803faf2a4faeebb4',
} as const;
