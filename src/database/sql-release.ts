/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 42,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'a28ee833d6a35e03c1898a2b88e7c10cbb52d90f1cda93ec7b46f9d1a266dd91',
} as const;
