/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 83,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '01a3343d0a74f0d4706de0c79c20b607d7288b6ca0d8154e24f179ffe40fad8e',
} as const;
