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
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TYPE journal_new_entry`);
    for (const table of ['journal_heads', 'journal_workspace_seals', 'journal_seals', 'journal_entries']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION journal_refuse()`);
  }
}
