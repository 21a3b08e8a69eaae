/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 52,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '94e31a718f05c5c97e28eeb50ba02fa620a2b6ee0f8ea5d0a710c0ed86403d1d',
} as const;
