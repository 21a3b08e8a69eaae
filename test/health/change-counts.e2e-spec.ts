import { randomUUID } from 'node:crypto';
import type { Attribution } from '../../src/contract/attribution';
import { useTestService } from '../support/test-service';
import { AssignWorkspacesService } from '../../src/users/assign-workspaces.service';
import { ChangePermissionsService } from '../../src/users/change-permissions.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { ask, assign, ASSIGNED, manageStatus, post, STATUS_UPDATED } from '../support/ask';

const ACT: Attribution = { actor: { kind: 'system', id: 'test' } };

const service = useTestService();

beforeEach(async () => {
  const { directory } = service;
  await directory.clear();
  await directory.permission('read', 'member');
  await directory.workspace('atlas', ['read']);
  await directory.workspace('borealis');
  await directory.group('editors', 'borealis');
  await directory.user('ada', { type: 'administrator' });
  for (const id of ['ben', 'cyd']) await directory.user(id);
});

interface Counts {
  assignments: number;
  unassignments: number;
  statuses: number;
  types: number;
}

async function counts(): Promise<Counts> {
  const { text } = await ask(`${service.url}/metrics`);
  const valueOf = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  return {
    assignments: valueOf('user_assignments_total'),
    unassignments: valueOf('user_unassignments_total'),
    statuses: valueOf('user_status_changes_total'),
    types: valueOf('user_type_changes_total'),
  };
}

/** By how much something makes the counts grow. */
async function counted(work: () => Promise<unknown>): Promise<Counts> {
  const before = await counts();
  await work();
  const after = await counts();
  return {
    assignments: after.assignments - before.assignments,
    unassignments: after.unassignments - before.unassignments,
    statuses: after.statuses - before.statuses,
    types: after.types - before.types,
  };
}

const NOTHING: Counts = { assignments: 0, unassignments: 0, statuses: 0, types: 0 };

async function assigning(body: object, status = 200): Promise<void> {
  expect((await assign(service, service.serviceToken(), body)).status).toBe(status);
}

async function toggling(id: string, status = 200): Promise<void> {
  const token = service.serviceToken();
  expect((await manageStatus(service, token, { id, token })).status).toBe(status);
}

describe('the counters of changes in /metrics', () => {
  it('count assigned users and the types that change with the assignment', async () => {
    const body = { userIds: ['ben', 'cyd'], workspaces: ['atlas', 'borealis'], groups: ['editors'] };
    expect(await counted(() => assigning(body))).toEqual({ ...NOTHING, assignments: 2, types: 2 });
    expect(await counted(() => assigning(body))).toEqual(NOTHING);
  });

  it('count only the changed users', async () => {
    await assigning({ userIds: ['ben'], workspaces: ['atlas'] });
    const work = () => assigning({ userIds: ['ben', 'cyd'], workspaces: ['atlas'] });
    expect(await counted(work)).toEqual({ ...NOTHING, assignments: 1, types: 1 });
  });

  it('do not count a refused request', async () => {
    expect(await counted(() => assigning({ userIds: ['ben', 'nobody'], workspaces: ['atlas'] }, 400))).toEqual(NOTHING);
    expect(await counted(() => assigning({ userIds: ['ben'], workspaces: [] }, 400))).toEqual(NOTHING);
    expect(await counted(() => toggling('nobody', 401))).toEqual(NOTHING);
    expect(await counted(() => toggling('ada', 409))).toEqual(NOTHING);
  });

  it('count changed statuses', async () => {
    expect(await counted(() => toggling('ben'))).toEqual({ ...NOTHING, statuses: 1 });
  });

  it('do not count a status token whose status is already set', async () => {
    const token = service.serviceToken();
    const minted = await post(
      `${service.url}/api/users/status-tokens`,
      { id: 'ben', status: 'inactive' },
      { authorization: `Bearer ${token}` },
    );
    const body = { id: 'ben', token: (JSON.parse(minted.text) as { token: string }).token };
    const work = () => manageStatus(service, token, body);
    expect(await counted(work)).toEqual({ ...NOTHING, statuses: 1 });
    expect(await counted(work)).toEqual(NOTHING);
  });

  it('count a request that was sent twice with its Idempotency-Key once', async () => {
    const [assignKey, statusKey] = [randomUUID(), randomUUID()];
    const token = service.serviceToken();
    const keyed = async (path: string, body: object, key: string) =>
      (
        await post(`${service.url}/api/users/${path}`, body, {
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
        })
      ).text;
    const work = async () => {
      const body = { userIds: ['ben'], workspaces: ['atlas'] };
      expect(await keyed('workspace-assign', body, assignKey)).toBe(ASSIGNED);
      expect(await keyed('manage-status', { id: 'ben', token }, statusKey)).toBe(STATUS_UPDATED);
    };
    expect(await counted(work)).toEqual({ ...NOTHING, assignments: 1, statuses: 1, types: 1 });
    expect(await counted(work)).toEqual(NOTHING);
  });

  it('do not count a change that was rolled back', async () => {
    const undone = {
      begin: () => Promise.resolve(),
      complete: () => Promise.reject(new Error('undone')),
    };
    const work = () =>
      expect(
        service.app
          .get(AssignWorkspacesService)
          .execute({ userIds: ['ben'], workspaces: ['atlas'] }, { ...ACT, unit: undone }),
      ).rejects.toThrow('undone');
    expect(await counted(work)).toEqual(NOTHING);
  });

  it('count types that change with unassignments and permissions', async () => {
    await assigning({ userIds: ['ben', 'cyd'], workspaces: ['atlas'] });
    const leaving = () =>
      service.app.get(UnassignUsersService).execute({ userIds: ['ben'], workspaces: ['atlas'] }, ACT);
    expect(await counted(leaving)).toEqual({ ...NOTHING, unassignments: 1, types: 1 });
    const revoking = () =>
      service.app.get(ChangePermissionsService).execute({ holder: 'workspace', id: 'atlas', revoke: ['read'] }, ACT);
    expect(await counted(revoking)).toEqual({ ...NOTHING, types: 1 });
  });

  it.each<[request: string, body: object, counts: Partial<Counts>]>([
    ['POST /api/users', {}, {}],
    ['POST /api/users', { permissions: ['read'] }, { types: 1 }],
    ['POST /api/users', { workspaces: ['borealis'] }, { assignments: 1 }],
    ['PATCH /api/users/ada', { permissions: ['read'] }, { types: 1 }],
    ['PATCH /api/workspaces/atlas', { permissions: [] }, { types: 1 }],
    ['PATCH /api/groups/readers', { permissions: [] }, { types: 1 }],
    ['PATCH /api/permissions/read', { grants: 'manager' }, { types: 2 }],
    ['DELETE /api/workspaces/atlas', {}, { unassignments: 1, types: 1 }],
    ['DELETE /api/workspaces/borealis', {}, { unassignments: 1, types: 1 }],
    ['DELETE /api/groups/readers', {}, { unassignments: 1, types: 1 }],
    ['DELETE /api/permissions/read', {}, { types: 2 }],
  ])('count what %s with %j changes', async (request, body, changes) => {
    await service.directory.group('readers', 'borealis', ['read']);
    await service.directory.user('zoe', { type: 'administrator' });
    await assigning({ userIds: ['ben'], workspaces: ['atlas'] });
    await assigning({ userIds: ['cyd'], workspaces: ['borealis'], groups: ['readers'] });
    const [method, path] = request.split(' ');
    const headers = { authorization: `Bearer ${service.serviceToken()}`, 'content-type': 'application/json' };
    const work = () => ask(`${service.url}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(await counted(work)).toEqual({ ...NOTHING, ...changes });
  });
});
