/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 2,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'bca6e176af9313cfaac40b6c2a2877ecc5fd70615dfd294f895f95cece233086',
} as const;
