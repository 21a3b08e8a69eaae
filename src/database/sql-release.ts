/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 46,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'a8189a36d1fd902fc2a45aed58cb1d394ff8b116fbd6e02aa134fefefb094580',
} as const;
