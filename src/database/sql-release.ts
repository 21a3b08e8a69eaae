/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 68,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '09215556de97d6e724980cfa7bd688bbc6b15863c3235c1fa7a80b03f6ec4c57',
} as const;
