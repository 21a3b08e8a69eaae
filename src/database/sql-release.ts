/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 61,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '339bdbcb99a497a83f13e9bb8ad4fd10fceb250c7959c65670ae4f5ae7cb4253',
} as const;
