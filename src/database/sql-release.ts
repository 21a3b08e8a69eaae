/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 30,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '0c1bd24eac0132ffb7add60354e154c52cb46aaec3d6952ccc1e986c432ffb15',
} as const;
