/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 55,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '23726975779f32d0dfe428a3f0ec4471cc7416c209ed785cc89341431dc33f9a',
} as const;
