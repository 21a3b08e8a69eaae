/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 81,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'd1eb464d6476b8c0f6437477c29b70fac2a70cdafceb56ae56248fe8185b9ca3',
} as const;
