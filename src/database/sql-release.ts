/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 29,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '4953d75dc334dffe348b25ad725dbdf95c1b73766cf6e74edfea07ed91eeb8dc',
} as const;
