/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 69,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'f4c35e7b35038f57e2e69bf4eec002e8da54f6f7748a6209f81b1c52f356834d',
} as const;
