/** As `database/sql-release.ts`, for the SQL functions of this plugin. `npm run sql:release` writes this file. */
export const SQL_RELEASE = {
  number: 1,
  /** The SHA-256 of the functions with this number. */
  fingerprint: 'ecd58954eb797dc6acd23a2c6e63b241eb02ab15a3944676f69a0ad56456f20c',
} as const;
