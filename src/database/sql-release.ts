/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 75,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'f4facad5cead97e76735d94bdc3a4e9c771ed2261fcfd74a99bacf26d50feeb3',
} as const;
