/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 4,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'da5cd8ee3f877eb14a73cb815a7d7b3b80badbca5c86521307320864dd3f8bd4',
} as const;
