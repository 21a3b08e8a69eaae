/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 56,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '9815effc905c88d5a34aad3a7be53e426370586c98fea2d0cfc4522b1a370db8',
} as const;
