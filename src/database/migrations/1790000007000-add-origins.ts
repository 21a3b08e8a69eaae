import type { MigrationInterface, QueryRunner } from 'typeorm';

const GIVEN = [
  'workspace_memberships',
  'group_memberships',
  'user_permissions',
  'workspace_permissions',
  'group_permissions',
];

/**
 * Memberships and grants keep since when they exist, and the number of the change that made them, which the journal
 * keeps as well. What is older has neither.
 */
export class AddOrigins1790000007000 implements MigrationInterface {
  name = 'AddOrigins1790000007000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE SEQUENCE change_numbers');
    // One number for each transaction. As a default, no writer can forget it.
    await queryRunner.query(`
      CREATE FUNCTION change_number() RETURNS bigint LANGUAGE sql VOLATILE AS $$
        SELECT COALESCE(NULLIF(current_setting('user_admin.change', true), '')::bigint,
          set_config('user_admin.change', nextval('change_numbers')::text, true)::bigint)
      $$`);
    for (const table of GIVEN) {
      // Added without defaults first, so that the rows that exist are not written anew.
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN since timestamptz(3), ADD COLUMN change bigint`);
      await queryRunner.query(
        `ALTER TABLE ${table} ALTER COLUMN since SET DEFAULT now(), ALTER COLUMN change SET DEFAULT change_number()`,
      );
    }
    for (const table of ['journal_inbox', 'journal_changes'])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN number bigint`);
    await queryRunner.query('ALTER TABLE journal_inbox ALTER COLUMN number SET DEFAULT change_number()');
    await queryRunner.query(`
      CREATE INDEX journal_changes_number ON journal_changes (number, position) WHERE number IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX journal_changes_number');
    for (const table of ['journal_inbox', 'journal_changes'])
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN number`);
    for (const table of GIVEN) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN since, DROP COLUMN change`);
    await queryRunner.query('DROP FUNCTION change_number');
    await queryRunner.query('DROP SEQUENCE change_numbers');
  }
}
