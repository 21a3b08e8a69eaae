/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 16,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '1bffcde412358c86dbbb18cc304b80b7a0b5914262831e0face67487564e6356',
} as const;
