/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 26,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'e9907331222c33182bcc13ca79c9b3a2d7201ce3551fbea40de6a1f4a480cccb',
} as const;
