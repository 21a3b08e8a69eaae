/** As `database/sql-release.ts`, for the SQL functions of this plugin. `npm run sql:release` writes this file. */
export const SQL_RELEASE = {
  number: 4,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'b1616e1789a70628e0ffc39b209cc80d41307cc76f906c2bc6615419ed9c52a6',
} as const;
