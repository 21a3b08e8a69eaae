/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 53,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'e83e048ea6e08168888988d2956edac047c58691fc70a68d27ae099a127693ab',
} as const;
