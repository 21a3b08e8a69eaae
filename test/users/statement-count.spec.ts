import { LIMITS } from '../../src/contract/limits';
import type { Attribution } from '../../src/contract/attribution';
import { useTestService } from '../support/test-service';
import { ChangePermissionsService } from '../../src/users/change-permissions.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { Expiry } from '../../src/expiry/expiry';
import { Sealer } from '../../src/journal/sealer';
import { DeliveryWorker } from '../../src/plugins/webhooks/delivery-worker';
import { StatementLog } from '../database/statement-log';
import { assign, manageStatus, post } from '../support/ask';
import { call } from '../support/record-calls';

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);

const ACT: Attribution = { actor: { kind: 'system', id: 'test' } };

const service = useTestService();
let log: StatementLog;

beforeAll(async () => {
  const { directory, dataSource } = service;
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.permission('administer', 'administrator');
  for (const id of ids('workspace', 10)) await directory.workspace(id, ['read']);
  for (const id of ids('group', 10)) await directory.group(id, id.replace('group', 'workspace'));
  await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
  await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
  await dataSource.query(`INSERT INTO users (id) SELECT 'user-' || n FROM generate_series(1, $1::int) AS n`, [
    LIMITS.users,
  ]);
  // They look for work by their own clocks: what they ask belongs to no request.
  await service.app.get(DeliveryWorker).beforeApplicationShutdown();
  await service.app.get(Sealer).beforeApplicationShutdown();
  await service.app.get(Expiry).beforeApplicationShutdown();
  // Whether the database has trigrams is asked once.
  await call(service, 'GET', '/api/users?search=user');
  log = StatementLog.of(dataSource);
});

/** The statements that something sends, which must be of the same number and text each time that it is done. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  log.take();
  await work();
  return log.take();
}

async function assigning(users: number, workspaces: number, groups: number): Promise<string[]> {
  return statementsOf(async () => {
    const body = {
      userIds: ids('user', users),
      workspaces: ids('workspace', workspaces),
      groups: ids('group', groups),
    };
    expect((await assign(service, service.tokenOf('ada'), body)).status).toBe(200);
  });
}

describe('the number of SQL statements', () => {
  it('of an assignment is the same for 1, 100 and 10,000 users', async () => {
    const forOne = await assigning(1, 1, 1);
    expect(forOne).toHaveLength(2);
    expect(await assigning(100, 10, 10)).toEqual(forOne);
    expect(await assigning(LIMITS.users, 1, 1)).toEqual(forOne);
  });

  it('of an assignment that changes nothing is not greater', async () => {
    const first = await assigning(1, 10, 10);
    const again = await assigning(1, 10, 10);
    expect(again.filter((statement) => !first.includes(statement))).toEqual([]);
    expect(again.length).toBeLessThanOrEqual(first.length);
  });

  it.each<[string, (users: number, workspaces: number) => object]>([
    [
      'workspace-unassign',
      (users, workspaces) => ({ userIds: ids('user', users), workspaces: ids('workspace', workspaces) }),
    ],
    [
      'status-assign',
      (users) => ({ userIds: ids('user', users), status: users === 1 ? 'inactive' : 'active', reason: 'a test' }),
    ],
  ])('of %s is the same for 1 and 1,000 users, and a dry run adds only the transaction', async (name, body) => {
    const asking = (users: number, workspaces: number, query = '') =>
      statementsOf(async () => {
        const headers = { authorization: `Bearer ${service.tokenOf('ada')}` };
        const path = `/api/users/${name}${query}`;
        expect((await post(service.url + path, body(users, workspaces), headers)).status).toBe(200);
      });
    await assigning(1_000, 2, 2);
    const dry = await asking(1_000, 10, '?dryRun=true');
    const forOne = await asking(1, 1);
    expect(forOne).toHaveLength(2);
    expect(await asking(1_000, 10)).toEqual(forOne);
    expect(dry.length).toBeLessThanOrEqual(5);
  });

  it('of a change of permissions is the same for a workspace of 1 and of 1,000 users', async () => {
    const granting = (id: string) =>
      statementsOf(() =>
        service.app.get(ChangePermissionsService).execute({ holder: 'workspace', id, grant: ['manage'] }, ACT),
      );
    await assigning(1_000, 2, 0);
    await service.app
      .get(UnassignUsersService)
      .execute({ userIds: ids('user', 1_000).slice(1), workspaces: ['workspace-1'] }, ACT);
    const forOne = await granting('workspace-1');
    expect(await granting('workspace-2')).toEqual(forOne);
  });

  it.each<[name: string, most: number, method: string, path: string, body: object | undefined]>([
    ['a change of a display name', 8, 'PATCH', '/api/users/user-1', { displayName: 'Renamed' }],
    [
      'a change of an email, which can meet another and alter the type',
      12,
      'PATCH',
      '/api/users/user-1',
      { email: 'a@b' },
    ],
    ["a change of a workspace's name", 8, 'PATCH', '/api/workspaces/workspace-1', { name: 'Renamed' }],
    ["a change of a group's name", 8, 'PATCH', '/api/groups/group-1', { name: 'Renamed' }],
    ['a change of a description', 8, 'PATCH', '/api/permissions/read', { description: 'Renamed' }],
    ['a list without filters', 2, 'GET', '/api/users', undefined],
    [
      'a list with every filter',
      3,
      'GET',
      '/api/users?status=active&type=guest&workspace=workspace-1&group=group-1&permission=read&search=user',
      undefined,
    ],
  ])('of %s is at most %i, the caller and the transaction included', async (_, most, method, path, body) => {
    const statements = await statementsOf(async () => {
      expect((await call(service, method, path, { body })).status).toBe(200);
    });
    expect(statements).toHaveLength(most);
  });

  it('of a change or deletion of a record is the same for 1 and 1,000 users', async () => {
    const sending = (method: string, path: string, body?: object) =>
      statementsOf(async () => expect([200, 204]).toContain((await call(service, method, path, { body })).status));
    await assigning(1_000, 9, 9);
    await service.app
      .get(UnassignUsersService)
      .execute({ userIds: ids('user', 1_000).slice(1), workspaces: ['workspace-8'] }, ACT);
    const permissions = ['read', 'manage'];
    // The one user first, so that there is a type to change each time.
    expect(await sending('PATCH', '/api/workspaces/workspace-8', { permissions })).toEqual(
      await sending('PATCH', '/api/workspaces/workspace-9', { permissions }),
    );
    expect(await sending('DELETE', '/api/groups/group-9')).toEqual(await sending('DELETE', '/api/groups/group-8'));
    expect(await sending('DELETE', '/api/workspaces/workspace-9')).toEqual(
      await sending('DELETE', '/api/workspaces/workspace-8'),
    );
    const explaining = (id: string) => sending('GET', `/api/users/${id}/permissions`);
    const forOne = await explaining('user-9999');
    expect(await explaining('user-1')).toEqual(forOne);
    expect(forOne).toHaveLength(3);
  });

  it('of a PATCH by SCIM that adds or removes one member is at most 10', async () => {
    const connection = { name: 'Okta', workspace: 'workspace-10' };
    const { body: made } = await call(service, 'POST', '/api/scim-connections', { body: connection });
    const headers = { authorization: `Bearer ${(made as { token: string }).token}` };
    const scim = async (method: string, path: string, body: object) =>
      (await call(service, method, `/scim/v2${path}`, { body, headers })).body as { id: string };
    const { id: group } = await scim('POST', '/Groups', { displayName: 'Engineers' });
    const users: { id: string }[] = [];
    for (const userName of ['ann', 'bob']) users.push(await scim('POST', '/Users', { userName }));
    const patching = (op: string, members = users.slice(0, 1)) =>
      statementsOf(() =>
        scim('PATCH', `/Groups/${group}`, {
          Operations: [{ op, path: 'members', value: members.map(({ id: value }) => ({ value })) }],
        }),
      );
    const count = 'SELECT count(*)::int AS members FROM group_memberships JOIN groups ON key = group_key WHERE id = $1';
    const members = () => service.dataSource.query(count, [group]);
    const added = await patching('add');
    // It is a member of the workspace now, whose permission makes it one.
    expect(await members()).toEqual([{ members: 1 }]);
    const removed = await patching('remove');
    expect(await members()).toEqual([{ members: 0 }]);
    expect([added.length, removed.length]).toEqual([10, 9]);
    expect(await patching('add', users)).toEqual(added);
    expect(await patching('remove', users)).toEqual(removed);
    expect(await members()).toEqual([{ members: 0 }]);
  });

  it('of a status change is the same for every user', async () => {
    const toggling = (id: string) =>
      statementsOf(async () => {
        const token = service.tokenOf('ada');
        expect((await manageStatus(service, token, { id, token })).status).toBe(200);
      });
    await toggling('user-1');
    const forOne = await toggling('user-1');
    expect(await toggling('user-2')).toEqual(forOne);
    expect(await toggling('user-1')).toEqual(forOne);
    expect(await toggling('zoe')).toEqual(forOne);
    // To know the caller, whose token is also the one in the body, and the change itself.
    expect(forOne).toHaveLength(2);
  });

  it.each([
    ['users', LIMITS.users + 1, 1, 0],
    ['workspaces', 1, LIMITS.workspaces + 1, 0],
    ['groups', 1, 1, LIMITS.groups + 1],
    ['memberships', LIMITS.users, 60, 41],
  ])('of an assignment of too many %s is one, which looks up the caller', async (_, users, workspaces, groups) => {
    const body = {
      userIds: ids('user', users),
      workspaces: ids('workspace', workspaces),
      groups: ids('group', groups),
    };
    const statements = await statementsOf(async () => {
      expect((await assign(service, service.tokenOf('ada'), body)).status).toBe(400);
    });
    expect(statements).toEqual([expect.stringMatching(/ FROM find_callers\(/)]);
  });
});
