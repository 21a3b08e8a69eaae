/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its
 * functions, so an older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 64,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '15f3aada2966df0653db6c6ae5048608adc60f975cd376ec7d93883d6982c46e',
} as const;
