/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 58,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '733d592106c60b0bb2c8751582e37b91fcbb532c3877d99de6812e51b0e6c462',
} as const;
