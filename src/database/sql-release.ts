/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 62,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'd0ec0df7da34bde5ec9cc2daa397d0978c07909550537f3ef41112afd7bab260',
} as const;
