/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 49,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'a5f8039d582397ea06415de8870f8f203268fab94043a22210738a86994acd95',
} as const;
