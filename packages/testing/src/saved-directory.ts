import type { DataSource } from 'typeorm';
import { sealJournal } from '../../../src/journal/seal-journal';
import { userFactsInSql } from '../../../src/users/user-facts';

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

/** Generated columns, the last ones of their tables. They cannot be restored. */
const GENERATED = {
  permissions: ['searchable'],
  workspaces: ['searchable'],
  groups: ['searchable'],
  users: ['searchable', 'name_order'],
};

/** Tells followers of every record that it is gone, with the facts that a deletion of it would record. */
const TELL_DELETIONS = `
  SELECT journal_append_changes('system', 'test directory', NULL, NULL, NULL, NULL, array_agg(change ORDER BY rank, id)) FROM (
    SELECT 1 AS rank, id, ROW('user.deleted', ARRAY[id], COALESCE(places.workspaces, '{}'), ${userFactsInSql({
      permissions: `to_jsonb(ARRAY(
        SELECT p.id FROM user_permissions JOIN permissions AS p ON p.key = permission_key WHERE user_key = users.key ORDER BY p.id
      ))`,
      workspaces: 'to_jsonb(places.workspaces)',
      groups: `to_jsonb(ARRAY(
        SELECT g.id FROM group_memberships AS m JOIN groups AS g ON g.key = m.group_key WHERE m.user_key = users.key ORDER BY g.id
      ))`,
      until: `'{}'`,
    })}, NULL)::journal_new_change AS change
    FROM users CROSS JOIN LATERAL (SELECT ARRAY(
      SELECT w.id FROM workspace_memberships JOIN workspaces AS w ON w.key = workspace_key WHERE user_key = users.key ORDER BY w.id
    ) AS workspaces) AS places
    UNION ALL
    SELECT 2, groups.id, ROW('group.deleted', NULL, ARRAY[w.id], jsonb_build_object('group', groups.id, 'name', groups.name,
      'permissions', to_jsonb(ARRAY(
        SELECT p.id FROM group_permissions JOIN permissions AS p ON p.key = permission_key WHERE group_key = groups.key ORDER BY p.id
      ))), NULL)::journal_new_change
    FROM groups JOIN workspaces AS w ON w.key = groups.workspace_key
    UNION ALL
    SELECT 3, id, ROW('workspace.deleted', NULL, ARRAY[id], jsonb_build_object('name', name,
      'permissions', to_jsonb(ARRAY(
        SELECT p.id FROM workspace_permissions JOIN permissions AS p ON p.key = permission_key WHERE workspace_key = workspaces.key
        ORDER BY p.id
      ))), NULL)::journal_new_change
    FROM workspaces
    UNION ALL
    SELECT 4, id, ROW('permission.deleted', NULL, '{}', jsonb_build_object('permission', id, 'description', description, 'grants', grants),
      NULL)::journal_new_change
    FROM permissions
  ) AS gone HAVING count(*) > 0`;

/** The tables to delete from; other rows are deleted by cascade. */
const CLEAR = `
  WITH u AS (DELETE FROM users), w AS (DELETE FROM workspaces), p AS (DELETE FROM permissions),
    s AS (DELETE FROM spent_status_tokens), h AS (DELETE FROM webhook_subscriptions)
  DELETE FROM idempotency_keys`;

/** Gives the saved users new keys: by its key, the journal takes a user for the same as before. */
const NEW_KEYS = `
  WITH shift AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('users', 'key')) - min(key) AS by FROM saved.users
  ), u AS (UPDATE saved.users SET key = key + by FROM shift RETURNING key),
    w AS (UPDATE saved.workspace_memberships SET user_key = user_key + by FROM shift),
    g AS (UPDATE saved.group_memberships SET user_key = user_key + by FROM shift),
    p AS (UPDATE saved.user_permissions SET user_key = user_key + by FROM shift)
  SELECT setval(pg_get_serial_sequence('users', 'key'), max(key)) FROM u`;

/**
 * A copy of the directory in the database, from which it is restored in one round trip: importing it again takes ten
 * times as long. The journal records that the records are gone, and the restored ones like the first, so followers learn both.
 */
export class SavedDirectory {
  constructor(private readonly dataSource: DataSource) {}

  async clear(): Promise<void> {
    await this.dataSource.query(`${TELL_DELETIONS}; ${CLEAR}`);
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
      ${Object.entries(GENERATED)
        .flatMap(([table, columns]) => columns.map((column) => `ALTER TABLE saved.${table} DROP COLUMN ${column};`))
        .join('\n')}
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
      ${TELL_DELETIONS};
      ${CLEAR};
      ${NEW_KEYS};
      ${TABLES.map((table) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE TABLE saved.${table};`).join('\n')}
      SELECT journal_append_changes(actor_kind::text, actor_id, NULL, NULL, NULL, NULL, array_agg(
        ROW(action, user_ids, workspace_ids, before, after)::journal_new_change ORDER BY position
      )) FROM saved.changes GROUP BY actor_kind, actor_id`);
  }
}
