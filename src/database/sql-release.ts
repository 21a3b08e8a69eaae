/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 36,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'f265acba94ce665b245c71d3e0de8ab6ebdbd9130fc5de6688a2871b019d6323',
} as const;
