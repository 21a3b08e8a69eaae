/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 25,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '42503dc0d3f3348c7e49be22863e242eb055b0d7ce8a3e841a2908c56b895a52',
} as const;
