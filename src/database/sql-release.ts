/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 27,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '753bbfcfb1388845a628460f19ab62051823404591ede51e854fae7556bd2a4e',
} as const;
