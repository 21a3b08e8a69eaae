/** As `database/sql-release.ts`, for the SQL functions of this plugin. `npm run sql:release` writes this file. */
export const SQL_RELEASE = {
  number: 1,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'e178f5d367a07328acb465d2b1f89712371e0df638dad6eb9353541c7d607d4f',
} as const;
