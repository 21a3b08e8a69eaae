/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 38,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '9aad5a49f55340be0ab116a4086ec76099e1224e391321cd68d78974acc82b02',
} as const;
