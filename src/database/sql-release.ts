/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 77,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '61bd1ab556fd364204564078cd1d73de29e45d4fc354a2400474c774451b3d10',
} as const;
