/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 65,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'c1377582edc50578df46d9c252beac498e1c6c1cec785b8413545dbcaede62ec',
} as const;
