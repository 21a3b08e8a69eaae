/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 57,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '0a61052dfad19baad4074b5e23c70c29da02f131ce82a95d089c33a098d2f620',
} as const;
