/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 50,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'cb0c5711da6978cd4ffb5b74cb18a0b8babdb5ada26eca869d1a893f078d19c8',
} as const;
