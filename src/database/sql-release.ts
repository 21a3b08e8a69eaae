/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 6,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'a6d1ddb6d7048110d15bac6e9cc36cd8f8fde3bf2b972ffed2ac1f6c50f725a6',
} as const;
