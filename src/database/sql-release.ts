/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 28,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'ad337977cb8fa5bfc3439839c634df2d004102f6876769a8f36b45e4c4fe0c87',
} as const;
