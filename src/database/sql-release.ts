/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 8,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'a0e89eba1357cbd8cdeb1303c28762b02a84b8aa2f57f0dc435d36a8163ae37f',
} as const;
