import type { QueryFailedError } from 'typeorm';
import { useMigratedDatabase } from '../support/migrated-database';
import { StatementLog } from './statement-log';

const database = useMigratedDatabase();

beforeAll(() => {
  StatementLog.of(database.dataSource);
});
beforeEach(async () => {
  const { directory } = database;
  await directory.clear();
  await directory.permission('read', 'member');
  await directory.workspace('atlas', ['read']);
  await directory.workspace('borealis');
  await directory.group('editors', 'atlas', ['read']);
  await directory.user('ada', { permissions: ['read'] });
  await directory.user('ben');
  await directory.member('ada', 'atlas', ['editors']);
  await directory.member('ada', 'borealis');
});

/** The key of a record, as SQL. */
const keyOf = (kind: 'user' | 'workspace' | 'group', id: string): string =>
  `(SELECT key FROM ${kind}s WHERE id = '${id}')`;

const joinGroup = (user: string, workspace: string, group: string): string => `
  INSERT INTO group_memberships (user_key, workspace_key, group_key)
  VALUES (${keyOf('user', user)}, ${keyOf('workspace', workspace)}, ${keyOf('group', group)})`;

/** @param state its state, the end, and the lease, as SQL */
const delivery = (state: string): string => `
  INSERT INTO webhook_deliveries (subscription_id, entry_id, change_position, subject, state, finished_at, lease)
  VALUES ('w', 1, 1, 'ben', ${state})`;

/** The constraint that a statement breaks. */
async function brokenBy(statement: string, parameters: unknown[] = []): Promise<string | undefined> {
  try {
    await database.dataSource.query(statement, parameters);
  } catch (error) {
    const { constraint } = (error as QueryFailedError).driverError as { constraint?: string };
    return constraint ?? String(error);
  }
  return undefined;
}

async function count(table: string): Promise<number> {
  const [row]: { rows: number }[] = await database.dataSource.query(`SELECT count(*)::int AS rows FROM ${table}`);
  return row?.rows ?? NaN;
}

describe('the database itself', () => {
  it('refuses a group membership without the membership of its workspace', async () => {
    expect(await brokenBy(joinGroup('ben', 'atlas', 'editors'))).toBe('group_memberships_workspace_membership_fkey');
  });

  it('refuses a group membership in a workspace that is not the group’s', async () => {
    await database.directory.group('writers', 'atlas');
    expect(await brokenBy(joinGroup('ada', 'borealis', 'writers'))).toBe('group_memberships_group_fkey');
  });

  it('refuses to move a group that has members to another workspace', async () => {
    const statement = `UPDATE groups SET workspace_key = ${keyOf('workspace', 'borealis')} WHERE id = 'editors'`;
    expect(await brokenBy(statement)).toBe('group_memberships_group_fkey');
  });

  it('refuses a group outside of every workspace', async () => {
    const statement = `INSERT INTO groups (id, name, workspace_key) VALUES ('lost', 'Lost', -1)`;
    expect(await brokenBy(statement)).toBe('groups_workspace_fkey');
  });

  it('removes a user who leaves a workspace from its groups', async () => {
    await database.dataSource.query(
      `DELETE FROM workspace_memberships WHERE workspace_key = ${keyOf('workspace', 'atlas')}`,
    );
    const { workspaces, groups } = await database.directory.state();
    expect(workspaces).toEqual(['ada in borealis']);
    expect(groups).toEqual([]);
  });

  it.each([
    ['users', `INSERT INTO users (id) VALUES ('')`],
    ['workspaces', `INSERT INTO workspaces (id, name) VALUES ('', 'Nameless')`],
    ['groups', `INSERT INTO groups (id, name, workspace_key) SELECT '', 'Nameless', key FROM workspaces LIMIT 1`],
    ['permissions', `INSERT INTO permissions (id, grants) VALUES ('', 'guest')`],
  ])('refuses an empty id in %s', async (table, statement) => {
    expect(await brokenBy(statement)).toBe(`${table}_id_not_empty`);
  });

  it.each([
    ['administrator_guard_one_row', 'INSERT INTO administrator_guard (id) VALUES (2)'],
    [
      'invalid input value for enum actor_kind',
      `SELECT journal_append_changes('nobody', 'eve', NULL, NULL, NULL, NULL,
         ARRAY[ROW('user.created', ARRAY['ben'], NULL, NULL, NULL)::journal_new_change])`,
    ],
    ['journal_subjects_kind', `INSERT INTO journal_subjects (kind, subject, position) VALUES ('x', 'ben', 1)`],
    [
      'webhook_subscriptions_disabled_reason',
      `INSERT INTO webhook_subscriptions (id, url, events, secret, enabled) VALUES ('w', 'http://w', '{}', 's', false)`,
    ],
    ['webhook_deliveries_state', delivery(`'lost', NULL, NULL`)],
    ['webhook_deliveries_finished_at', delivery(`'delivered', NULL, NULL`)],
    ['webhook_deliveries_finished_at', delivery(`'pending', now(), NULL`)],
    ['webhook_deliveries_lease', delivery(`'waiting', NULL, gen_random_uuid()`)],
  ])('refuses what contradicts itself: %s', async (fault, statement) => {
    expect(await brokenBy(statement)).toContain(fault);
  });

  it('refuses an email that another user has, whatever its case', async () => {
    await database.dataSource.query(`UPDATE users SET email = 'Ada@Example.com' WHERE id = 'ada'`);
    expect(await brokenBy(`UPDATE users SET email = 'aDA@eXAMPLE.COM' WHERE id = 'ben'`)).toBe('users_email_unique');
    expect(await brokenBy(`INSERT INTO users (id) VALUES ('cyd'), ('dee')`)).toBeUndefined();
  });

  it('compares ids exactly: by case, blanks and length', async () => {
    const ids = ['Ada', 'ada ', ' ada', 'adа', 'a'.repeat(255), '𝒜'.repeat(255)];
    for (const id of ids) await database.directory.user(id);
    const rows: { id: string }[] = await database.dataSource.query('SELECT id FROM users WHERE id = ANY($1)', [ids]);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await brokenBy('INSERT INTO users (id) VALUES ($1)', ['a'.repeat(256)])).toContain('too long');
  });

  it('keeps the table of inactive users complete, whatever changes a status', async () => {
    const inactive = async () => {
      const rows: { id: string }[] = await database.dataSource.query(
        'SELECT id FROM inactive_users LEFT JOIN users ON key = user_key ORDER BY id',
      );
      return rows.map(({ id }) => id);
    };
    await database.dataSource.query(
      `INSERT INTO users (id, status) VALUES ('cyd', 'inactive'), ('dee', 'active'), ('eve', 'inactive')`,
    );
    expect(await inactive()).toEqual(['cyd', 'eve']);
    await database.dataSource.query(`UPDATE users SET status = 'inactive'`);
    expect(await inactive()).toEqual(['ada', 'ben', 'cyd', 'dee', 'eve']);
    await database.dataSource.query(`UPDATE users SET status = 'active' WHERE id < 'cyd'`);
    await database.dataSource.query(`DELETE FROM users WHERE id IN ('ben', 'eve')`);
    expect(await inactive()).toEqual(['cyd', 'dee']);
  });

  it('writes no index of users when a status changes', async () => {
    await database.dataSource.transaction(async (manager) => {
      const hotUpdates = async () => {
        const [row]: { hot: number }[] = await manager.query(
          `SELECT pg_stat_get_xact_tuples_hot_updated('users'::regclass)::integer AS hot`,
        );
        return row?.hot ?? NaN;
      };
      const before = await hotUpdates();
      await manager.query(`UPDATE users SET status = 'inactive', updated_at = now() WHERE id = 'ben'`);
      expect((await hotUpdates()) - before).toBe(1);
    });
  });

  it.each([
    [
      'user',
      `DELETE FROM users WHERE id = 'ada'`,
      { user_permissions: 0, workspace_memberships: 0, group_memberships: 0 },
    ],
    [
      'workspace',
      `DELETE FROM workspaces WHERE id = 'atlas'`,
      { groups: 0, workspace_permissions: 0, group_permissions: 0, workspace_memberships: 1, group_memberships: 0 },
    ],
    ['group', `DELETE FROM groups`, { group_permissions: 0, group_memberships: 0, workspace_memberships: 2 }],
    ['permission', `DELETE FROM permissions`, { user_permissions: 0, workspace_permissions: 0, group_permissions: 0 }],
  ])('deletes with a %s everything that refers to it', async (_, statement, left) => {
    await database.dataSource.query(statement);
    for (const [table, rows] of Object.entries(left)) expect([table, await count(table)]).toEqual([table, rows]);
  });
});
