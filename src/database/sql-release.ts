/**
 * Where the SQL functions of this build stand in the order of releases. A database with a higher number keeps its functions, so an
 * older process that starts again cannot take back what a newer one has mended.
 *
 * `npm run sql:release` writes this file. Run it after any change to a file in `sql/`; a test fails until then.
 */
export const SQL_RELEASE = {
  number: 3,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '061ff8525247c6c762dd16f1ebfcc4a91e52646ae503b881c600d692fff4b6f1',
} as const;
