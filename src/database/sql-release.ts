/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 31,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'ec29126ea82cc1f8c48386af2dfc426b8c268978558f85f6bcafe28affd91fcd',
} as const;
