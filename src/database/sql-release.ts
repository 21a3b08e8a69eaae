/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 24,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '2d785714025081f63b7e5dbff9ffec2cf6498f8d77c8f530e6aa2bf856b0c0ca',
} as const;
