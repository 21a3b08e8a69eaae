import type { DataSource } from 'typeorm';
import { sealJournal } from '../../../src/journal/seal-journal';

/** The tables of the directory, each after the tables that it refers to. */
const TABLES = [
  'permissions',
  'workspaces',
  'groups',
  'users',
  'workspace_memberships',
  'group_memberships',
  'user_permissions',
  'workspace_permissions',
  'group_permissions',
];

/** The tables whose last column is generated, so it cannot be restored. */
const GENERATING = ['permissions', 'workspaces', 'groups', 'users'];

/** The tables to delete from; other rows are deleted by cascade. */
const CLEAR = `
  WITH u AS (DELETE FROM users), w AS (DELETE FROM workspaces), p AS (DELETE FROM permissions),
    s AS (DELETE FROM spent_status_tokens), h AS (DELETE FROM webhook_subscriptions)
  DELETE FROM idempotency_keys`;

/**
 * A copy of the directory in the database, from which it is restored in one round trip: importing it again takes ten
 * times as long. The journal records the restored records like the first ones, so followers learn about them.
 */
export class SavedDirectory {
  constructor(private readonly dataSource: DataSource) {}

  async clear(): Promise<void> {
    await this.dataSource.query(CLEAR);
  }

  async newestEntry(): Promise<string> {
    await sealJournal(this.dataSource);
    const [newest]: [{ id: string }] = await this.dataSource.query('SELECT position AS id FROM journal_head');
    return newest.id;
  }

  /** Saves the current directory, and the journal entries since an entry. */
  async save(sinceEntry: string): Promise<void> {
    await this.dataSource.query(`
      DROP SCHEMA IF EXISTS saved CASCADE;
      CREATE SCHEMA saved;
      ${TABLES.map((table) => `CREATE TABLE saved.${table} AS TABLE ${table};`).join('\n')}
      ${GENERATING.map((table) => `ALTER TABLE saved.${table} DROP COLUMN searchable;`).join('\n')}
      CREATE TABLE saved.changes AS
        SELECT change.position, actor_kind, actor_id, action, COALESCE(user_ids, array_remove(ARRAY[user_id], NULL)) AS user_ids,
          COALESCE(workspace_ids, array_remove(ARRAY[workspace_id], NULL)) AS workspace_ids,
          change.before || COALESCE(personal.before, '{}') AS before, change.after || COALESCE(personal.after, '{}') AS after
        FROM journal_changes AS change LEFT JOIN journal_personal AS personal USING (position)
        WHERE change.position > ${BigInt(sinceEntry)}`);
  }

  /** All or nothing: several statements in one message are one transaction. */
  async restore(): Promise<void> {
    await this.dataSource.query(`
      ${CLEAR};
      ${TABLES.map((table) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE saved.${table};`).join('\n')}
      SELECT journal_append_changes(actor_kind::text, actor_id, NULL, NULL, NULL, NULL, array_agg(
        ROW(action, user_ids, workspace_ids, before, after)::journal_new_change ORDER BY position
      )) FROM saved.changes GROUP BY actor_kind, actor_id`);
  }
}
