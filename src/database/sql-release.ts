/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 5,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'fe58be4ac4009c1088f41641ec792b0f6405ba434db7fd8d0b8a9adee16ef91d',
} as const;
