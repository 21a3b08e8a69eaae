/** As `database/sql-release.ts`, for the SQL functions of this plugin. `npm run sql:release` writes this file. */
export const SQL_RELEASE = {
  number: 5,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '6a8caf2de635afd1a4c74957ce1d64c14924362d5a304742c6975cccbe866a21',
} as const;
