import { LIMITS } from '../../src/contract/limits';
import { toBeAffected } from '../../src/directory/permission-holders';
import { UserImpact } from '../../src/users/user-type/user-impact';
import { useTestService } from '../support/test-service';
import { StatementLog } from '../database/statement-log';
import { call } from '../support/record-calls';

const MEMBERS = LIMITS.representedMemberships + 1;
const TOO_LARGE = {
  status: 400,
  message: 'This request is too large to be represented: at most 100,000 memberships.',
};

const service = useTestService();
let log: StatementLog;

beforeAll(async () => {
  const { directory, dataSource } = service;
  await directory.user('ada', { type: 'administrator' });
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.workspace('atlas', ['read']);
  await directory.group('team', 'atlas', ['read']);
  await dataSource.query(
    `WITH added AS (INSERT INTO users (id, type) SELECT 'u' || n, 'member' FROM generate_series(1, $1) AS n RETURNING key),
       joined AS (
         INSERT INTO workspace_memberships (user_key, workspace_key)
         SELECT added.key, w.key FROM added, workspaces AS w RETURNING user_key, workspace_key)
     INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT user_key, joined.workspace_key, g.key FROM joined, groups AS g`,
    [MEMBERS],
  );
  await dataSource.query('ANALYZE');
  log = StatementLog.of(dataSource);
});

/** What a change of many users does first: it locks them. */
const locksUsers = (statement: string): boolean => /users_affected|FROM users .*FOR /s.test(statement);

const preview = (method: string, path: string, body?: object) => call(service, method, `${path}?dryRun=true`, { body });

it.each([
  ['DELETE', '/api/workspaces/atlas', undefined],
  ['DELETE', '/api/groups/team', undefined],
  ['DELETE', '/api/permissions/read', undefined],
  ['PATCH', '/api/workspaces/atlas', { permissions: ['read', 'manage'] }],
  ['PATCH', '/api/permissions/read', { grants: 'manager' }],
  ['PATCH', '/api/permissions/read', { grants: 'guest' }],
])('a dry run of %s %s %j that affects too many is refused before it locks them', async (method, path, body) => {
  log.take();
  expect((await preview(method, path, body)).body).toEqual(TOO_LARGE);
  expect(log.take().filter(locksUsers)).toEqual([]);
});

it('who holds a permission in another way as well does not count', async () => {
  const { manager } = service.dataSource;
  const [{ key }] = await manager.query<[{ key: string }]>(`SELECT key FROM workspaces WHERE id = 'atlas'`);
  const change = { place: { kind: 'workspace', key }, gained: [], lost: ['read'] } as const;
  await expect(UserImpact.refuseTooMany(manager, toBeAffected(change))).resolves.toBeUndefined();
});
