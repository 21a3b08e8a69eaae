import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHAINS = 64;

/**
 * The journal: an append-only record of all changes. A row is one change that one request made to any number of users. Readers see a
 * separate entry for each user. Rows form hash chains, so that an altered or removed row can be detected.
 */
export class CreateJournal1790000001000 implements MigrationInterface {
  name = 'CreateJournal1790000001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // An enum instead of a CHECK, which PostgreSQL would parse again for every statement that inserts.
    await queryRunner.query(`CREATE TYPE actor_kind AS ENUM ('user', 'service', 'system')`);
    // `id` is the id of the first entry. The entries of one row have consecutive ids, at most 1,024.
    //
    // `moment` defines the order of pages: the milliseconds of `at` since 1970, then the lowest 21 bits of `id / 1024`. Every unique key
    // begins with it, so the table can be partitioned by month, which is a range of moments.
    //
    // `user_id` and `workspace_id` are the first user and workspace of the change. `user_ids` and `workspace_ids` contain all of them
    // if there are several. `bytes` is at least the size of an entry in JSON without its user, so that readers can bound a page before they
    // read the lists of its changes. There are no foreign keys to the directory, because entries outlive the records.
    await queryRunner.query(`
      CREATE TABLE journal_changes (
        moment bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1024 INCREMENT BY 1024),
        number bigint NOT NULL,
        at timestamptz(3) NOT NULL,
        chain smallint NOT NULL,
        entries smallint NOT NULL,
        action text COLLATE "C" NOT NULL,
        actor_kind actor_kind NOT NULL,
        actor_id text COLLATE "C" NOT NULL,
        granted_by text,
        user_id text COLLATE "C",
        user_ids text[],
        workspace_id text COLLATE "C",
        workspace_ids text[],
        before jsonb,
        after jsonb,
        reason text,
        request_id text,
        traceparent text,
        hash bytea NOT NULL,
        bytes integer NOT NULL,
        CONSTRAINT journal_changes_pkey PRIMARY KEY (moment)
      )`);
    await queryRunner.query(`CREATE INDEX journal_changes_chain ON journal_changes (chain, number)`);
    await queryRunner.query(`CREATE INDEX journal_changes_actor ON journal_changes (actor_id, moment)`);
    await queryRunner.query(`CREATE INDEX journal_changes_action ON journal_changes (action, moment)`);
    await queryRunner.query(`
      CREATE INDEX journal_changes_user ON journal_changes (user_id, moment) WHERE user_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX journal_changes_workspace ON journal_changes (workspace_id, moment)
      WHERE workspace_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX journal_changes_permitted ON journal_changes (COALESCE(after ->> 'group', workspace_id), moment)
      WHERE action IN ('workspace.permissions.changed', 'group.permissions.changed')`);
    // The users and workspaces of a change except the first, which the indexes above contain. An index on the arrays could not be read
    // in the order of pages.
    await queryRunner.query(`
      CREATE TABLE journal_subjects (
        kind "char" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        moment bigint NOT NULL,
        position smallint NOT NULL,
        CONSTRAINT journal_subjects_pkey PRIMARY KEY (kind, subject, moment, position),
        CONSTRAINT journal_subjects_kind CHECK (kind IN ('u', 'w'))
      )`);
    // For people who read the journal with SQL. The service reads the tables.
    await queryRunner.query(`
      CREATE VIEW journal_entries AS
      SELECT id + position AS id, at, action, actor_kind, actor_id, granted_by, COALESCE(user_ids[position + 1], user_id) AS user_id,
        COALESCE(workspace_ids, array_remove(ARRAY[workspace_id], NULL)) AS workspace_ids, before, after, reason, request_id
      FROM journal_changes CROSS JOIN generate_series(0, entries - 1) AS position`);
    // Each row is updated very often, so the fillfactor puts few of them on a page.
    await queryRunner.query(`
      CREATE TABLE journal_heads (
        chain smallint NOT NULL,
        number bigint NOT NULL DEFAULT 0,
        hash bytea NOT NULL DEFAULT '\\x',
        CONSTRAINT journal_heads_pkey PRIMARY KEY (chain)
      ) WITH (fillfactor = 10)`);
    await queryRunner.query(`INSERT INTO journal_heads (chain) SELECT generate_series(0, ${CHAINS - 1})`);

    await queryRunner.query(`
      CREATE FUNCTION journal_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The journal is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME
          USING ERRCODE = 'restrict_violation';
      END $$`);
    for (const table of ['journal_changes', 'journal_subjects']) {
      await queryRunner.query(`
        CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()`);
    }
    await queryRunner.query(`
      CREATE TRIGGER journal_heads_stay BEFORE INSERT OR DELETE OR TRUNCATE ON journal_heads
      FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()`);
    await queryRunner.query(`
      CREATE TRIGGER journal_heads_advance BEFORE UPDATE ON journal_heads
      FOR EACH ROW WHEN (NEW.chain <> OLD.chain OR NEW.number <= OLD.number) EXECUTE FUNCTION journal_refuse()`);

    await queryRunner.query(`
      CREATE TYPE journal_new_change AS (
        action text, user_ids text[], workspace_ids text[], before jsonb, after jsonb
      )`);
    // The columns of `journal_changes` that this release writes. A later release can add others while this one still runs.
    await queryRunner.query(`
      CREATE TYPE journal_new_row AS (
        moment bigint, id bigint, number bigint, at timestamptz, chain smallint, entries smallint, action text, actor_kind actor_kind,
        actor_id text, granted_by text, user_id text, user_ids text[], workspace_id text, workspace_ids text[], before jsonb, after jsonb,
         reason text, request_id text, traceparent text, hash bytea, bytes integer
      )`);
    await queryRunner.query(`
      CREATE TYPE journal_new_entry AS (
        action text, user_id text, workspace_ids text[], before jsonb, after jsonb
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const type of ['journal_new_entry', 'journal_new_row', 'journal_new_change']) {
      await queryRunner.query(`DROP TYPE ${type}`);
    }
    await queryRunner.query(`DROP VIEW journal_entries`);
    for (const table of ['journal_heads', 'journal_subjects', 'journal_changes']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION journal_refuse()`);
    await queryRunner.query(`DROP TYPE actor_kind`);
  }
}
