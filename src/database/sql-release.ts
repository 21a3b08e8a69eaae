/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 23,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'fcaff4eb07e4e9469bb735bec0f2ddebac45dba012850947b90f05d13d9be6ce',
} as const;
