/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 59,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '75ac5d2ace0116724bf3d8e78cc23dbf16cd0e702173a865bec0ff78f4a17197',
} as const;
