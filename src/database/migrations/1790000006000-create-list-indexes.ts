import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The searchable tables, each with the expression for the searchable text of a record. */
const SEARCHED = {
  users: `id || E'\\n' || COALESCE(email, '') || E'\\n' || COALESCE(display_name, '')`,
  workspaces: `id || E'\\n' || name`,
  groups: `id || E'\\n' || name`,
  permissions: `id || E'\\n' || COALESCE(description, '')`,
};

/**
 * The indexes of the lists. An index for text anywhere in a record needs the extension `pg_trgm`. If the server does not have it and the
 * role cannot create it, the indexes support only the beginnings of texts.
 */
export class CreateListIndexes1790000006000 implements MigrationInterface {
  name = 'CreateListIndexes1790000006000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DO $$ BEGIN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
      EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
        NULL;
      END $$`);
    // Converts text to lower case, and punctuation to capital letters: trigrams ignore punctuation, and LIKE gives some of it a
    // meaning. Indexes depend on this function, so it must never change.
    await queryRunner.query(`
      CREATE FUNCTION searchable(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT translate(
          lower(given COLLATE "default"), E' !#$%&''()*+,-./:;=?@[\\\\]_|~', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
        )
      $$`);
    // The schema of the extension may be missing in the search path.
    const [trigrams] = (await queryRunner.query(
      `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace
       WHERE extname = 'pg_trgm'`,
    )) as { schema: string }[];
    for (const [table, text] of Object.entries(SEARCHED)) {
      await queryRunner.query(
        trigrams
          ? `CREATE INDEX ${table}_search ON ${table} USING gin (searchable(${text}) ${trigrams.schema}.gin_trgm_ops)`
          : `CREATE INDEX ${table}_search_prefix ON ${table} (searchable(${text}) text_pattern_ops)`,
      );
      await queryRunner.query(`CREATE INDEX ${table}_created_at ON ${table} (created_at, id)`);
    }
    await queryRunner.query(`CREATE INDEX users_type ON users (type, id)`);
    await queryRunner.query(`CREATE INDEX users_inactive ON users (id) WHERE status = 'inactive'`);
    await queryRunner.query(`CREATE INDEX permissions_grants ON permissions (grants, id)`);
    await queryRunner.query(`DROP INDEX groups_workspace`);
    await queryRunner.query(`CREATE INDEX groups_workspace ON groups (workspace_key, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX groups_workspace, permissions_grants, users_inactive, users_type`);
    await queryRunner.query(`CREATE INDEX groups_workspace ON groups (workspace_key)`);
    for (const table of Object.keys(SEARCHED)) {
      await queryRunner.query(`DROP INDEX ${table}_created_at`);
      await queryRunner.query(`DROP INDEX IF EXISTS ${table}_search, ${table}_search_prefix`);
    }
    await queryRunner.query(`DROP FUNCTION searchable(text)`);
    await queryRunner.query(`DROP EXTENSION IF EXISTS pg_trgm`);
  }
}
