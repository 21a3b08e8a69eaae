/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 12,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '37e035461fde5bb48f4230cbfbe5d66fe20d9b1a755ef84a316aac0d33af269b',
} as const;
