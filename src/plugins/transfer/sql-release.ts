/** As `database/sql-release.ts`, for the SQL functions of this plugin. `npm run sql:release` writes this file. */
export const SQL_RELEASE = {
  number: 3,
  /** The SHA-256 of the functions with this number. */
  fingerprint: '1a34deee7868c15d46d5ea409266bc099dc33df3fbc130d3dc98e2635e9b910b',
} as const;
