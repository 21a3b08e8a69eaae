/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 63,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '4bb3ef5cb9756d150a2f61b82ae980e391816db8dc656ca86767925e950922bc',
} as const;
