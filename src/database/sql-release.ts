/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 13,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '23c09d7d15aa6a8827697240216821162e5ed0ec67d0ade056bc1e0e79f15252',
} as const;
