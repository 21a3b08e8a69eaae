/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 62,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '53194188ac3ddf2b008c2a70eafffb1794de9dca9227f8e1d005fb2cc27d3cf6',
} as const;
