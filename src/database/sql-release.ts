/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 19,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '4421ac682e176a237ce11a6ce32699f01a93f07d9058374e8d9592c0f2064696',
} as const;
