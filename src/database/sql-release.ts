/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 2,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'ca5244f2efc70dd2d8c49f63ec908907b4374b9bb2ea3b15380cc75c06f17c38',
} as const;
