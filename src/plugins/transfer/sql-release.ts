/** As `database/sql-release.ts`, for the SQL functions of this plugin. `npm run sql:release` writes this file. */
export const SQL_RELEASE = {
  number: 1,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '734f53b8146675fc1a8c458a02cebb9b836b907c1d42d1aaba20db5a9407701f',
} as const;
