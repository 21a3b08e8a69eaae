import type { MigrationInterface, QueryRunner } from 'typeorm';

const LEFT = `action IN ('user.deleted', 'user.renamed')`;

/** The key of whom an entry of `c` meant by an id. The table `borne` has the ids that somebody has left or come to. */
const keyOf = (id: string): string => `
  CASE WHEN EXISTS (SELECT FROM borne WHERE borne.id = ${id})
    THEN (SELECT key FROM borne WHERE borne.id = ${id} AND c.position BETWEEN since AND until)
    ELSE (SELECT key FROM users WHERE users.id = ${id}) END`;

/**
 * The log keeps the keys of users, which are never given twice, beside their ids, which can be.
 *
 * Entries that exist get keys here, once. Their hash does not cover the keys: `journal_seals.version` tells which
 * format the hash of a seal has. A user who was deleted gets a new key. The inbox is sealed first, so that everything
 * that says who left an id is in the log.
 */
export class AddUserKeys1790000008000 implements MigrationInterface {
  name = 'AddUserKeys1790000008000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // An array cannot have elements of different lengths, unless they are rows.
    await queryRunner.query('CREATE TYPE journal_keys AS (keys bigint[])');
    // For each change the keys of its users; null where nobody bears the id.
    await queryRunner.query('ALTER TABLE journal_inbox ADD COLUMN user_keys journal_keys[]');
    // As `user_id` and `user_ids`.
    await queryRunner.query('ALTER TABLE journal_changes ADD COLUMN user_key bigint, ADD COLUMN user_keys bigint[]');
    await queryRunner.query('ALTER TABLE journal_seals ADD COLUMN version smallint NOT NULL DEFAULT 1');
    await this.giveKeys(queryRunner);
    // Which ids somebody has left. Few entries tell it.
    await queryRunner.query(
      `CREATE INDEX journal_changes_left_by ON journal_changes (user_key, position) WHERE ${LEFT}`,
    );
    await queryRunner.query('DROP INDEX journal_changes_renamed');
  }

  private async giveKeys(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TEMPORARY TABLE borne (id text COLLATE "C", since bigint, until bigint, key bigint) ON COMMIT DROP`);
    await queryRunner.query('CREATE INDEX borne_id ON borne (id, since)');
    // Backwards from those who bear the ids now. A row with `since` 0 is the one that can still be divided.
    await queryRunner.query(`
      DO $$
      DECLARE
        idle CONSTANT text := current_setting('idle_in_transaction_session_timeout');
        is_unsealed boolean := to_regprocedure('seal_journal(boolean, integer)') IS NOT NULL;
        went record;
        bearer bigint;
      BEGIN
        WHILE is_unsealed LOOP
          SELECT more INTO is_unsealed FROM seal_journal(true, NULL);
        END LOOP;
        PERFORM set_config('idle_in_transaction_session_timeout', idle, true);

        INSERT INTO borne
        SELECT id, 0, x'7fffffffffffffff'::bigint, (SELECT key FROM users WHERE users.id = known.id) FROM (
          SELECT user_id FROM journal_changes WHERE ${LEFT}
          UNION SELECT after ->> 'id' FROM journal_changes WHERE action = 'user.renamed'
        ) AS known (id);
        FOR went IN
          SELECT position, user_id, action, after ->> 'id' AS next FROM journal_changes WHERE ${LEFT}
          ORDER BY position DESC
        LOOP
          IF went.action = 'user.deleted' THEN
            bearer := nextval(pg_get_serial_sequence('users', 'key'));
          ELSE
            UPDATE borne SET since = went.position + 1 WHERE id = went.next AND since = 0 RETURNING key INTO bearer;
            INSERT INTO borne VALUES (went.next, 0, went.position, NULL);
          END IF;
          UPDATE borne SET since = went.position + 1 WHERE id = went.user_id AND since = 0;
          INSERT INTO borne VALUES (went.user_id, 0, went.position, bearer);
        END LOOP;
      END $$`);
    await queryRunner.query('ALTER TABLE journal_changes DISABLE TRIGGER journal_changes_append_only');
    await queryRunner.query(`
      UPDATE journal_changes AS c SET user_key = ${keyOf('c.user_id')},
        user_keys = CASE WHEN user_ids IS NOT NULL THEN ARRAY(
          SELECT ${keyOf('given.id')} FROM unnest(user_ids) WITH ORDINALITY AS given (id, nth) ORDER BY nth
        ) END
      WHERE user_id IS NOT NULL`);
    await queryRunner.query('ALTER TABLE journal_changes ENABLE TRIGGER journal_changes_append_only');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX journal_changes_renamed ON journal_changes ((after ->> 'id') COLLATE "C", position)
        WHERE action = 'user.renamed'`);
    await queryRunner.query('ALTER TABLE journal_seals DROP COLUMN version');
    await queryRunner.query('ALTER TABLE journal_changes DROP COLUMN user_key, DROP COLUMN user_keys');
    await queryRunner.query('ALTER TABLE journal_inbox DROP COLUMN user_keys');
    await queryRunner.query('DROP TYPE journal_keys');
  }
}
