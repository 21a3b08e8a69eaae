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
      // Kept, because the function takes 15 us for each record, which would be most of the time of a search.
      await queryRunner.query(
        `ALTER TABLE ${table} ADD COLUMN searchable text GENERATED ALWAYS AS (searchable(${text})) STORED`,
      );
      await queryRunner.query(
        trigrams
          ? `CREATE INDEX ${table}_search ON ${table} USING gin (searchable ${trigrams.schema}.gin_trgm_ops)`
          : `CREATE INDEX ${table}_search_prefix ON ${table} (searchable text_pattern_ops)`,
      );
      // With their keys in the index, lists of a million users test memberships without reading the users.
      const include = table === 'users' ? 'INCLUDE (key)' : '';
      await queryRunner.query(`CREATE INDEX ${table}_created_at ON ${table} (created_at, id) ${include}`);
    }
    await queryRunner.query(`CREATE INDEX users_type ON users (type, id) INCLUDE (key)`);
    await queryRunner.query(`CREATE INDEX permissions_grants ON permissions (grants, id)`);
    await queryRunner.query(`DROP INDEX groups_workspace`);
    await queryRunner.query(`CREATE INDEX groups_workspace ON groups (workspace_key, id)`);
    await this.createInactiveUsers(queryRunner);
  }

  /**
   * The keys of inactive users, by which lists find them. An index that names the status would do the same, but then every
   * change of a status would write a new entry to every index of `users`: no such update would be HOT.
   */
  private async createInactiveUsers(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE inactive_users (
        user_key bigint NOT NULL,
        CONSTRAINT inactive_users_pkey PRIMARY KEY (user_key)
      )`);
    await queryRunner.query(`
      CREATE FUNCTION keep_inactive_users() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'DELETE' AND NEW.status = 'inactive' THEN
          INSERT INTO inactive_users (user_key) VALUES (NEW.key);
        ELSE
          DELETE FROM inactive_users WHERE user_key = OLD.key;
        END IF;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER users_created_inactive AFTER INSERT ON users
      FOR EACH ROW WHEN (NEW.status = 'inactive') EXECUTE FUNCTION keep_inactive_users()`);
    await queryRunner.query(`
      CREATE TRIGGER users_status_changed AFTER UPDATE OF status ON users
      FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION keep_inactive_users()`);
    await queryRunner.query(`
      CREATE TRIGGER users_deleted_inactive AFTER DELETE ON users
      FOR EACH ROW WHEN (OLD.status = 'inactive') EXECUTE FUNCTION keep_inactive_users()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const trigger of ['users_created_inactive', 'users_status_changed', 'users_deleted_inactive']) {
      await queryRunner.query(`DROP TRIGGER ${trigger} ON users`);
    }
    await queryRunner.query(`DROP FUNCTION keep_inactive_users()`);
    await queryRunner.query(`DROP TABLE inactive_users`);
    await queryRunner.query(`DROP INDEX groups_workspace, permissions_grants, users_type`);
    await queryRunner.query(`CREATE INDEX groups_workspace ON groups (workspace_key)`);
    for (const table of Object.keys(SEARCHED)) {
      await queryRunner.query(`DROP INDEX ${table}_created_at`);
      // Its search index goes with the column.
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN searchable`);
    }
    await queryRunner.query(`DROP FUNCTION searchable(text)`);
    await queryRunner.query(`DROP EXTENSION IF EXISTS pg_trgm`);
  }
}
