/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 2,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '5b48af58cb6261d483a83fec3b2d70dec50b7c81a29ee8884f6518d65de2bcf8',
} as const;
