import { LIMITS } from '../../src/contract/limits';
import { useTestService } from '../support/test-service';
import { StatementLog } from '../database/statement-log';
import { falseTypes } from '../races/false-types';
import { call } from '../support/record-calls';
import { querySealed } from '../support/sealed';

/** More than one part. */
const MEMBERS = LIMITS.users + 500;

const service = useTestService();
let log: StatementLog;

beforeAll(async () => {
  log = StatementLog.of(service.dataSource);
});

beforeEach(async () => {
  const { directory } = service;
  await directory.clear();
  await directory.permission('read', 'member');
  await directory.permission('administer', 'administrator');
  await directory.workspace('atlas', ['read']);
  await directory.group('team', 'atlas', ['read']);
  await directory.group('administrators', 'atlas', ['administer']);
  // Ada, who calls, is in the first part of the members, and gives up her own authority with the workspace.
  await directory.user('ada', { type: 'administrator' });
  await directory.member('ada', 'atlas', ['administrators']);
  await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
});

/** Members of the workspace and the group, one of whom also holds the permission directly. */
async function addMembers(): Promise<void> {
  const { dataSource } = service;
  await dataSource.query(
    `WITH added AS (INSERT INTO users (id, type) SELECT 'member-' || n, 'member' FROM generate_series(1, $1) AS n RETURNING key),
       joined AS (
         INSERT INTO workspace_memberships (user_key, workspace_key)
         SELECT added.key, w.key FROM added, workspaces AS w RETURNING user_key, workspace_key)
     INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT user_key, joined.workspace_key, g.key FROM joined, groups AS g WHERE g.id = 'team'`,
    [MEMBERS],
  );
  await dataSource.query(
    `INSERT INTO user_permissions (user_key, permission_key)
     SELECT u.key, p.key FROM users AS u, permissions AS p WHERE u.id = 'member-7' AND p.id = 'read'`,
  );
}

async function told(): Promise<Record<string, number>> {
  const rows: { action: string; count: number }[] = await querySealed(
    service.dataSource,
    `SELECT action, sum(entries)::integer AS count FROM journal_changes GROUP BY action`,
  );
  return Object.fromEntries(rows.map(({ action, count }) => [action, count]));
}

async function since(before: Record<string, number>): Promise<Record<string, number>> {
  const all = Object.entries(await told()).map(([action, count]) => [action, count - (before[action] ?? 0)] as const);
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}

async function typesOf(): Promise<Record<string, number>> {
  const rows: { type: string; count: number }[] = await service.dataSource.query(
    'SELECT type, count(*)::integer FROM users GROUP BY type',
  );
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

it.each<[string, string, object | undefined, Record<string, number>, Record<string, number>]>([
  [
    'DELETE',
    '/api/workspaces/atlas',
    undefined,
    { administrator: 1, member: 1, guest: MEMBERS },
    {
      'workspace.deleted': 1,
      'group.deleted': 2,
      'user.workspaces.unassigned': MEMBERS + 1,
      'user.type.changed': MEMBERS,
    },
  ],
  [
    'PATCH',
    '/api/permissions/read',
    { grants: 'manager' },
    { administrator: 2, manager: MEMBERS },
    { 'permission.updated': 1, 'user.type.changed': MEMBERS },
  ],
  [
    'DELETE',
    '/api/permissions/read',
    undefined,
    { administrator: 2, guest: MEMBERS },
    {
      'permission.deleted': 1,
      'workspace.permissions.changed': 1,
      'group.permissions.changed': 1,
      'user.permissions.changed': 1,
      'user.type.changed': MEMBERS,
    },
  ],
])('%s %s with %j reaches everyone, part after part', async (method, path, body, types, entries) => {
  await addMembers();
  const before = await told();
  log.take();
  const { status } = await call(service, method, path, { body });
  const statements = log.take();
  expect([200, 204]).toContain(status);
  expect(await typesOf()).toEqual(types);
  expect(await falseTypes(service.dataSource)).toEqual([]);
  expect(await since(before)).toEqual(entries);
  // Twice, once for the locks and once for the change; the last part of the second time is empty.
  expect(statements.filter((statement) => statement.startsWith('FETCH'))).toHaveLength(5);
  // Once, although only the first part has an administrator who is demoted.
  const required = statements.filter((statement) => statement.includes('require_administrator'));
  expect(required).toHaveLength(types.administrator === 1 ? 1 : 0);
});

it.each([
  ['/api/permissions/read', 'workspace.permissions.changed', MEMBERS + 1, 'DELETE FROM workspace_permissions'],
  ['/api/workspaces/atlas', 'group.deleted', MEMBERS + 2, 'DELETE FROM groups'],
])('DELETE %s takes as many places part after part: %s %i times', async (path, action, times, removal) => {
  const { dataSource } = service;
  await dataSource.query(
    `WITH added AS (INSERT INTO workspaces (id, name) SELECT 'place-' || n, 'Place' FROM generate_series(1, $1) AS n RETURNING key)
     INSERT INTO workspace_permissions (workspace_key, permission_key)
     SELECT added.key, p.key FROM added, permissions AS p WHERE p.id = 'read'`,
    [MEMBERS],
  );
  await dataSource.query(
    `INSERT INTO groups (id, name, workspace_key)
     SELECT 'team-' || n, 'Team', w.key FROM generate_series(1, $1) AS n, workspaces AS w WHERE w.id = 'atlas'`,
    [MEMBERS],
  );
  const before = await told();
  log.take();
  expect((await call(service, 'DELETE', path)).status).toBe(204);
  expect(log.take().filter((statement) => statement.includes(removal))).toHaveLength(2);
  // With the one workspace and the two groups of each test.
  expect((await since(before))[action]).toBe(times);
  expect(await falseTypes(dataSource)).toEqual([]);
});
