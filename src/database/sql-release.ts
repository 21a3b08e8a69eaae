/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 43,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'b66101495e69a689f0185db311bb5420c1cbb18c33e09fbbfeb3f028d7f2468d',
} as const;
