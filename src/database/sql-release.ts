/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 47,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '4e6343f7cb0331cb1a0f620bae8fc4798307bbb2bc1fba782ca9134cfcdcd370',
} as const;
