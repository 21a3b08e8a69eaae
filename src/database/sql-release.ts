/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 40,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'c8ff7dc43a4a2662803b592203f760df155ec402bf9fb314937409257f410c5c',
} as const;
