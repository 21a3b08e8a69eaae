import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the installed version of each SQL function, and the release (`sql-release.ts`) that installed it. See
 * `packages/postgres/src/sql-functions.ts`.
 */
export class CreateSqlFunctions1790000005000 implements MigrationInterface {
  name = 'CreateSqlFunctions1790000005000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sql_functions (
        name text COLLATE "C" NOT NULL,
        hash text COLLATE "C" NOT NULL,
        release integer NOT NULL,
        CONSTRAINT sql_functions_pkey PRIMARY KEY (name)
      )`);
  }

  /** Drops the functions first, because they depend on types of earlier migrations. */
  async down(queryRunner: QueryRunner): Promise<void> {
    const functions = (await queryRunner.query(`
      SELECT oid::regprocedure AS signature FROM pg_proc JOIN sql_functions ON name = proname
      WHERE pronamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'sql_functions'::regclass)`)) as {
      signature: string;
    }[];
    for (const { signature } of functions) await queryRunner.query(`DROP FUNCTION ${signature}`);
    await queryRunner.query(`DROP TABLE sql_functions`);
  }
}
