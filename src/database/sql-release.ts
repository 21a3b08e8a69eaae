/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 20,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '13db3fa3a04ea4ee783be58eec5936c04b80000cc421e9caef6cbac5acf47f03',
} as const;
