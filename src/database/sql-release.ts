/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 7,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '8e99c9e5922a14a513de57b0d7d506e60c3a3b53c1012a245c56b2246933c73a',
} as const;
