/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 45,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '1963ac6db78b268b707d01aea6f1f2f6ddec15853a3ce593300f0db849791a19',
} as const;
