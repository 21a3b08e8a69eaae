/** As `database/sql-release.ts`, for the SQL functions of this plugin. `npm run sql:release` writes this file. */
export const SQL_RELEASE = {
  number: 2,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'c4f24a0e855110065e50f5bd43f6c69c506a3db11b929e41a8dd39e87898bec3',
} as const;
