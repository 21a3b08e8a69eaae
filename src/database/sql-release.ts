/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 39,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '7623322c72cfff1eeba4dfaae473a28961a96fb3c5c9c8e16b5071c21abebe94',
} as const;
