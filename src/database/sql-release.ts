/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 51,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'ad4d675fe7a821df4f427410b5896a7b8b0758780f624e91908647f0f94dd805',
} as const;
