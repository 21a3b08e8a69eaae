/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 48,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '1c9c6b788138224ef25cba20e7e9fb717baec12631fadb5a41b4e656575c9435',
} as const;
