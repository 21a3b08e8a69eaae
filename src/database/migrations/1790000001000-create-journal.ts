import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHAINS = 64;

/**
 * The journal: an append-only record of who did what. Entries that one statement appends are sealed together; seals form
 * chains, each by the hash of the one before, so that nothing can be altered or taken away unnoticed.
 *
 * The hashes are over texts that leave no room for doubt: the JSON array of all columns of an entry, and bytes of fixed
 * lengths in a seal. Whoever changes these begins a new version of them (`entry/1`, `seal/1`) and goes on reading the old one.
 */
export class CreateJournal1790000001000 implements MigrationInterface {
  name = 'CreateJournal1790000001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // No foreign keys to the directory: the record outlives what it tells of.
    await queryRunner.query(`
      CREATE TABLE journal_entries (
        id bigint GENERATED ALWAYS AS IDENTITY,
        at timestamptz(3) NOT NULL,
        action text COLLATE "C" NOT NULL,
        actor_kind text NOT NULL,
        actor_id text COLLATE "C" NOT NULL,
        granted_by text,
        user_id text COLLATE "C",
        workspace_ids text[] NOT NULL,
        before jsonb,
        after jsonb,
        reason text,
        request_id text,
        chain smallint NOT NULL,
        seal bigint NOT NULL,
        position integer NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT journal_entries_pkey PRIMARY KEY (id),
        CONSTRAINT journal_entries_seal_unique UNIQUE (chain, seal, position),
        CONSTRAINT journal_entries_actor_kind CHECK (actor_kind IN ('user', 'service', 'system'))
      )`);
    await queryRunner.query(`CREATE INDEX journal_entries_at ON journal_entries (at, id)`);
    await queryRunner.query(`CREATE INDEX journal_entries_actor ON journal_entries (actor_id, at, id)`);
    await queryRunner.query(`CREATE INDEX journal_entries_action ON journal_entries (action, at, id)`);
    await queryRunner.query(
      `CREATE INDEX journal_entries_user ON journal_entries (user_id, at, id) WHERE user_id IS NOT NULL`,
    );
    await queryRunner.query(`
      CREATE TABLE journal_seals (
        chain smallint NOT NULL,
        number bigint NOT NULL,
        entries integer NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT journal_seals_pkey PRIMARY KEY (chain, number)
      )`);
    // Which seals concern a workspace. An index of the entries' arrays could not give them in order, so that a page about a
    // workspace which has long been quiet would read the whole journal; and this has one row for an assignment of thousands.
    await queryRunner.query(`
      CREATE TABLE journal_workspace_seals (
        workspace_id text COLLATE "C" NOT NULL,
        at timestamptz(3) NOT NULL,
        chain smallint NOT NULL,
        seal bigint NOT NULL,
        CONSTRAINT journal_workspace_seals_pkey PRIMARY KEY (workspace_id, at, chain, seal)
      )`);
    // Few rows to a page, because all are written all the time.
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
    for (const table of ['journal_entries', 'journal_seals', 'journal_workspace_seals']) {
      await queryRunner.query(`
        CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()`);
    }
    await queryRunner.query(`
      CREATE TRIGGER journal_heads_stay BEFORE INSERT OR DELETE OR TRUNCATE ON journal_heads
      FOR EACH STATEMENT EXECUTE FUNCTION journal_refuse()`);
    await queryRunner.query(`
      CREATE TRIGGER journal_heads_advance BEFORE UPDATE ON journal_heads
      FOR EACH ROW WHEN (NEW.chain <> OLD.chain OR NEW.number <> OLD.number + 1) EXECUTE FUNCTION journal_refuse()`);

    await queryRunner.query(`
      CREATE TYPE journal_new_entry AS (
        action text, user_id text, workspace_ids text[], before jsonb, after jsonb
      )`);
    await queryRunner.query(`
      CREATE FUNCTION journal_append(
        actor_kind text, actor_id text, granted_by text, reason text, request_id text, entries journal_new_entry[]
      ) RETURNS bigint[] LANGUAGE plpgsql AS $$
      #variable_conflict use_column
      DECLARE
        own CONSTANT smallint := pg_backend_pid() % ${CHAINS};
        head journal_heads;
        appended_at timestamptz(3);
        ids bigint[];
        hashes bytea;
      BEGIN
        IF COALESCE(cardinality(entries), 0) = 0 THEN
          RETURN '{}';
        END IF;

        -- Each connection has a chain of its own, as a rule. When another writer holds it, any free one will do; only
        -- when all are held does anyone wait.
        SELECT * INTO head FROM journal_heads WHERE chain = own FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
          SELECT * INTO head FROM journal_heads LIMIT 1 FOR UPDATE SKIP LOCKED;
        END IF;
        IF NOT FOUND THEN
          SELECT * INTO head FROM journal_heads WHERE chain = own FOR UPDATE;
        END IF;
        head.number := head.number + 1;
        appended_at := date_trunc('milliseconds', clock_timestamp());

        WITH numbered AS MATERIALIZED (
          SELECT nextval('journal_entries_id_seq') AS id, entry.*
          FROM (
            SELECT * FROM unnest(entries) WITH ORDINALITY AS given (action, user_id, workspace_ids, before, after, position)
            ORDER BY position
          ) AS entry
        ), added AS (
          INSERT INTO journal_entries (
            id, at, action, actor_kind, actor_id, granted_by, user_id, workspace_ids, before, after, reason, request_id,
            chain, seal, position, hash
          ) OVERRIDING SYSTEM VALUE
          SELECT
            id, appended_at, action, $1, $2, $3, user_id, COALESCE(workspace_ids, '{}'), before, after, $4, $5,
            head.chain, head.number, position,
            sha256(convert_to(jsonb_build_array(
              'entry/1', id, (extract(epoch FROM appended_at) * 1000)::bigint, action, $1, $2, $3, user_id,
              COALESCE(workspace_ids, '{}'), before, after, $4, $5, head.chain, head.number, position
            )::text, 'UTF8'))
          FROM numbered
          RETURNING id, position, hash
        )
        SELECT array_agg(id ORDER BY position), string_agg(hash, NULL ORDER BY position) INTO ids, hashes FROM added;

        head.hash := sha256(
          convert_to('seal/1', 'UTF8') || head.hash || int2send(head.chain) || int8send(head.number)
          || int4send(cardinality(ids)) || hashes
        );
        INSERT INTO journal_seals (chain, number, entries, hash)
        VALUES (head.chain, head.number, cardinality(ids), head.hash);
        INSERT INTO journal_workspace_seals (workspace_id, at, chain, seal)
        SELECT DISTINCT workspace.id, appended_at, head.chain, head.number
        FROM unnest(entries) AS given CROSS JOIN unnest(given.workspace_ids) AS workspace (id);
        UPDATE journal_heads SET number = head.number, hash = head.hash WHERE chain = head.chain;
        RETURN ids;
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION journal_append(text, text, text, text, text, journal_new_entry[])`);
    await queryRunner.query(`DROP TYPE journal_new_entry`);
    for (const table of ['journal_heads', 'journal_workspace_seals', 'journal_seals', 'journal_entries']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION journal_refuse()`);
  }
}
