/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 70,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '58536a9e5c2dfec89bee93ed639ce0d1d9269297a4a73010cade72907da8bd0e',
} as const;
