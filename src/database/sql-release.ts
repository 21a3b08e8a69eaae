/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 78,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '2dcd78b7ad3ac4021a2cb8582cba035901e54c80435d04b3941532f6671716bb',
} as const;
