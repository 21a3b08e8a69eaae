import type { MigrationInterface, QueryRunner } from 'typeorm';

const LOG = ['journal_changes', 'journal_subjects', 'journal_personal'];

/**
 * The journal: one log of all changes. A transaction leaves its changes in the inbox. `seal_journal` moves what is
 * committed from there into the log, gives it positions, and seals it.
 */
export class CreateJournal1790000001000 implements MigrationInterface {
  name = 'CreateJournal1790000001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // An enum instead of a CHECK, which PostgreSQL would parse again for every statement that inserts.
    await queryRunner.query(`CREATE TYPE actor_kind AS ENUM ('user', 'service', 'system', 'connection')`);
    await queryRunner.query(`
      CREATE TYPE journal_new_change AS (
        action text COLLATE "C", user_ids text[] COLLATE "C", workspace_ids text[] COLLATE "C", before jsonb, after
        jsonb
      )`);

    // `id` has the order of the changes of one user, who is locked while they are appended. A row lives for
    // milliseconds, so dead rows are removed soon, and a reader begins at the transactions that it has not seen.
    await queryRunner.query(`
      CREATE TABLE journal_inbox (
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        id bigint GENERATED ALWAYS AS IDENTITY,
        at timestamptz(3) NOT NULL DEFAULT now(),
        actor_kind actor_kind NOT NULL,
        actor_id text COLLATE "C" NOT NULL,
        granted_by text COLLATE "C",
        reason text COLLATE "C",
        request_id text COLLATE "C",
        traceparent text COLLATE "C",
        changes journal_new_change[] NOT NULL,
        CONSTRAINT journal_inbox_pkey PRIMARY KEY (xid, id)
      ) WITH (
        autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 500
      )`);

    // A row is one change to up to 1,000 users, and readers see an entry for each: the entries have the positions from
    // that of the change on. A position begins with the month in which it was given: months since 2020 << 40, then a
    // counter. So a month is a range.
    //
    // `user_id` and `workspace_id` are the first user and workspace, `user_ids` and `workspace_ids` all of them if
    // there are several. `continues` says that the change before it is of the same transaction. `personal` is the hash
    // of what `journal_personal` has for it. `bytes` is at least the size of an entry in JSON without its user, so that
    // readers can bound a page before they read lists. There are no foreign keys to the directory, because entries
    // outlive the records.
    await queryRunner.query(`
      CREATE TABLE journal_changes (
        position bigint NOT NULL,
        at timestamptz(3) NOT NULL,
        actor_kind actor_kind NOT NULL,
        bytes integer NOT NULL,
        entries smallint NOT NULL,
        continues boolean NOT NULL,
        action text COLLATE "C" NOT NULL,
        actor_id text COLLATE "C" NOT NULL,
        granted_by text COLLATE "C",
        user_id text COLLATE "C",
        user_ids text[] COLLATE "C",
        workspace_id text COLLATE "C",
        workspace_ids text[] COLLATE "C",
        before jsonb,
        after jsonb,
        request_id text COLLATE "C",
        traceparent text COLLATE "C",
        personal bytea,
        CONSTRAINT journal_changes_pkey PRIMARY KEY (position)
      ) PARTITION BY RANGE (position)`);
    await queryRunner.query(`CREATE INDEX journal_changes_actor ON journal_changes (actor_id, position)`);
    await queryRunner.query(`CREATE INDEX journal_changes_action ON journal_changes (action, position)`);
    await queryRunner.query(`
      CREATE INDEX journal_changes_user ON journal_changes (user_id, position) WHERE user_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX journal_changes_workspace ON journal_changes (workspace_id, position)
        WHERE workspace_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX journal_changes_place ON journal_changes (COALESCE(after ->> 'group', workspace_id), position)
      WHERE action IN ('workspace.created', 'group.created', 'workspace.permissions.changed',
        'group.permissions.changed')`);
    // Who left an id, by a deletion or for another id, and who came to one. Few entries do.
    await queryRunner.query(`
      CREATE INDEX journal_changes_left ON journal_changes (user_id, position)
        WHERE action IN ('user.deleted', 'user.renamed')`);
    await queryRunner.query(`
      CREATE INDEX journal_changes_renamed ON journal_changes ((after ->> 'id') COLLATE "C", position)
        WHERE action = 'user.renamed'`);
    // The users and workspaces of a change except the first, which the indexes above contain. An index on the arrays
    // could not be read in the order of pages.
    await queryRunner.query(`
      CREATE TABLE journal_subjects (
        kind "char" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        CONSTRAINT journal_subjects_pkey PRIMARY KEY (kind, subject, position),
        CONSTRAINT journal_subjects_kind CHECK (kind IN ('u', 'w'))
      ) PARTITION BY RANGE (position)`);
    // What can be erased: the reason of a change, and the email and display name in its facts. The log has only the
    // salted hash.
    await queryRunner.query(`
      CREATE TABLE journal_personal (
        position bigint NOT NULL,
        salt uuid NOT NULL,
        reason text COLLATE "C",
        before jsonb,
        after jsonb,
        CONSTRAINT journal_personal_pkey PRIMARY KEY (position)
      ) PARTITION BY RANGE (position)`);
    for (const table of LOG) await queryRunner.query(`CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT`);

    // A seal covers the changes after the seal before it, up to its position: the last one of its entries. Its hash
    // covers them and that seal. `at` never falls. The first seal covers nothing, and makes every journal a different
    // one.
    //
    // The newest seal also says how far sealing has come: `snapshot` shows the transactions that were taken, `last_xid`
    // is that of the last change, and no entry is more than `lag` older than its seal. A new row leaves no dead
    // version, which a long snapshot would keep.
    await queryRunner.query(`
      CREATE TABLE journal_seals (
        position bigint NOT NULL,
        at timestamptz(3) NOT NULL,
        changes integer NOT NULL,
        hash bytea NOT NULL,
        snapshot pg_snapshot NOT NULL DEFAULT '1:1:',
        last_xid xid8 NOT NULL DEFAULT '0',
        lag interval NOT NULL DEFAULT '0',
        CONSTRAINT journal_seals_pkey PRIMARY KEY (position)
      )`);
    await queryRunner.query(`CREATE INDEX journal_seals_at ON journal_seals (at)`);
    await queryRunner.query(`
      INSERT INTO journal_seals VALUES (0, '2020-01-01Z', 0, sha256(uuid_send(gen_random_uuid()) ||
        uuid_send(gen_random_uuid())))`);
    // The position up to which entries were removed.
    await queryRunner.query(`
      CREATE TABLE journal_pruned (
        id smallint NOT NULL DEFAULT 1 CHECK (id = 1),
        position bigint NOT NULL,
        CONSTRAINT journal_pruned_pkey PRIMARY KEY (id)
      )`);
    await queryRunner.query(`INSERT INTO journal_pruned (position) VALUES (0)`);
    // A snapshot that is ahead of the present is of another cluster, from which this database was restored: it says
    // nothing here.
    await queryRunner.query(`
      CREATE VIEW journal_head AS
      SELECT position, at, hash, CASE
        WHEN pg_snapshot_xmax(snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) THEN snapshot ELSE '1:1:'
      END AS snapshot, last_xid, lag, (SELECT position FROM journal_pruned) AS pruned
      FROM journal_seals ORDER BY position DESC LIMIT 1`);

    // For people who read the journal with SQL. The service reads the tables.
    await queryRunner.query(`
      CREATE VIEW journal_entries AS
      SELECT change.position + nth AS id, change.at, change.action, change.actor_kind, change.actor_id,
        change.granted_by,
        COALESCE(change.user_ids[nth + 1], change.user_id) AS user_id,
        COALESCE(change.workspace_ids, array_remove(ARRAY[change.workspace_id], NULL)) AS workspace_ids,
        CASE WHEN personal.before IS NULL THEN change.before ELSE change.before || personal.before END AS before,
        CASE WHEN personal.after IS NULL THEN change.after ELSE change.after || personal.after END AS after,
        personal.reason, change.request_id
      FROM journal_changes AS change LEFT JOIN journal_personal AS personal USING (position)
      CROSS JOIN generate_series(0, change.entries - 1) AS nth`);

    await queryRunner.query(`
      CREATE FUNCTION journal_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The journal is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME
          USING ERRCODE = 'restrict_violation';
      END $$`);
    // Statements on a partition do not fire the triggers of its table.
    const appendOnly = ['journal_changes', 'journal_subjects'].flatMap((table) => [table, `${table}_default`]);
    for (const table of [...appendOnly, 'journal_seals']) {
      await queryRunner.query(`
        CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()`);
    }
    await queryRunner.query(`
      CREATE TRIGGER journal_pruned_stays BEFORE INSERT OR DELETE OR TRUNCATE ON journal_pruned
      FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()`);
    await queryRunner.query(`
      CREATE TRIGGER journal_pruned_advances BEFORE UPDATE ON journal_pruned
      FOR EACH ROW WHEN (NEW.position <= OLD.position) EXECUTE FUNCTION journal_refuse()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const view of ['journal_entries', 'journal_head']) await queryRunner.query(`DROP VIEW ${view}`);
    for (const table of ['journal_pruned', 'journal_seals', ...LOG, 'journal_inbox']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION journal_refuse()`);
    for (const type of ['journal_new_change', 'actor_kind']) {
      await queryRunner.query(`DROP TYPE ${type}`);
    }
  }
}
