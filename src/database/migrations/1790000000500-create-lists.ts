import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What only lists need: tables that triggers keep beside the users, and the indexes of orders, filters and searches.
 */
export class CreateLists1790000000500 implements MigrationInterface {
  name = 'CreateLists1790000000500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.createTables(queryRunner);
    await this.createIndexes(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['users', 'workspaces', 'groups', 'permissions']) {
      await queryRunner.query(`DROP INDEX IF EXISTS ${table}_search, ${table}_search_prefix`);
    }
    await queryRunner.query(`DROP INDEX users_created_at, users_name_order, users_type, permissions_grants`);
    await queryRunner.query(`DROP FUNCTION list_created_users(), list_changed_user(), unlist_deleted_user() CASCADE`);
    await queryRunner.query(`DROP TABLE inactive_users, user_updates`);
  }

  /**
   * Two tables beside `users`, by which lists find users: the keys of inactive users, and when users were last updated.
   * Indexes of `users` on the status and on `updated_at` would do the same, but then every change of a status would
   * write a new entry to every index of `users`: no such update would be HOT.
   */
  private async createTables(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE inactive_users (
        user_key bigint NOT NULL,
        CONSTRAINT inactive_users_pkey PRIMARY KEY (user_key)
      )`);
    await queryRunner.query(`
      CREATE TABLE user_updates (
        user_key bigint NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        id varchar(255) COLLATE "C" NOT NULL,
        CONSTRAINT user_updates_pkey PRIMARY KEY (user_key)
      )`);
    await queryRunner.query(`CREATE INDEX user_updates_updated_at ON user_updates (updated_at, id) INCLUDE (user_key)`);
    await queryRunner.query(`
      CREATE FUNCTION list_created_users() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO user_updates (user_key, updated_at, id) SELECT key, updated_at, id FROM created;
        INSERT INTO inactive_users (user_key) SELECT key FROM created WHERE status = 'inactive';
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION list_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.updated_at <> OLD.updated_at OR NEW.id <> OLD.id THEN
          UPDATE user_updates SET updated_at = NEW.updated_at, id = NEW.id WHERE user_key = NEW.key;
        END IF;
        IF NEW.status = 'inactive' THEN
          INSERT INTO inactive_users (user_key) VALUES (NEW.key) ON CONFLICT DO NOTHING;
        ELSIF OLD.status = 'inactive' THEN
          DELETE FROM inactive_users WHERE user_key = OLD.key;
        END IF;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION unlist_deleted_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM user_updates WHERE user_key = OLD.key;
        DELETE FROM inactive_users WHERE user_key = OLD.key;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER users_created AFTER INSERT ON users
      REFERENCING NEW TABLE AS created FOR EACH STATEMENT EXECUTE FUNCTION list_created_users()`);
    // Without a WHEN, which PostgreSQL would parse and plan again for every statement.
    await queryRunner.query(`
      CREATE TRIGGER users_changed AFTER UPDATE OF status, updated_at, id ON users
      FOR EACH ROW EXECUTE FUNCTION list_changed_user()`);
    await queryRunner.query(`
      CREATE TRIGGER users_deleted AFTER DELETE ON users
      FOR EACH ROW EXECUTE FUNCTION unlist_deleted_user()`);
  }

  /**
   * An index for text anywhere in a record needs the extension `pg_trgm`. If the server does not have it and the role
   * cannot create it, the indexes support only the beginnings of texts.
   */
  private async createIndexes(queryRunner: QueryRunner): Promise<void> {
    // The schema of the extension may be missing in the search path.
    const [trigrams] = (await queryRunner.query(
      `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace
       WHERE extname = 'pg_trgm'`,
    )) as { schema: string }[];
    for (const table of ['users', 'workspaces', 'groups', 'permissions']) {
      await queryRunner.query(
        trigrams
          ? `CREATE INDEX ${table}_search ON ${table} USING gin (searchable ${trigrams.schema}.gin_trgm_ops)`
          : `CREATE INDEX ${table}_search_prefix ON ${table} (searchable)`,
      );
    }
    // With their keys in the index, lists of a million users test memberships without reading the users.
    await queryRunner.query(`CREATE INDEX users_created_at ON users (created_at, id) INCLUDE (key)`);
    await queryRunner.query(`CREATE INDEX users_name_order ON users (name_order, id) INCLUDE (key)`);
    await queryRunner.query(`CREATE INDEX users_type ON users (type, id) INCLUDE (key)`);
    await queryRunner.query(`CREATE INDEX permissions_grants ON permissions (grants, id)`);
  }
}
