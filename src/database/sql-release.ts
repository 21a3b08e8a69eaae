/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 2,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'f87e67d7944c262c8f064d291bbf6d53112b58acaf9b62dcb73cc52414d7ec04',
} as const;
