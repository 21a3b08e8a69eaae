/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 32,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '17e3eb3efa4e793be15c8b43db9ff359617d66d4b16b59c627fc25bbe93e988a',
} as const;
