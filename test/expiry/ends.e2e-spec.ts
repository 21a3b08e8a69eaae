import { Expiry } from '../../src/expiry/expiry';
import { ask, post } from '../support/ask';
import { at, BEN, DAY, HOUR, useEndsClock } from '../support/ends';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const MALFORMED = 'Please give a time with an offset, such as 2027-01-31T18:00:00+01:00.';
const NOT_AHEAD = 'Please give a time in the future, ten years ahead at most.';

const service = useTestService();
const clock = useEndsClock(service);

beforeEach(() => writeSmallDirectory(service));

const headers = () => ({ authorization: `Bearer ${service.tokenOf('ada')}` });

async function call(operation: string, body: object, more: Record<string, string> = {}): Promise<unknown[]> {
  const answer = await post(`${service.url}/api/users/${operation}`, body, { ...headers(), ...more });
  return [answer.status, JSON.parse(answer.text)];
}

async function get(path: string): Promise<Record<string, unknown>> {
  return JSON.parse((await ask(`${service.url}${path}`, { headers: headers() })).text) as Record<string, unknown>;
}

const ASSIGNED = { status: 200, message: 'Users successfully assigned to workspaces.' };
const UNASSIGNED = { status: 200, message: 'Users successfully unassigned from workspaces.' };
const REPRESENTED = { prefer: 'return=representation' };

async function memberships(id: string): Promise<unknown> {
  return (await get(`/api/users/${id}/memberships`)).memberships;
}

/** The newest entries, oldest first, without what differs between runs. */
async function entries(limit: number): Promise<unknown[]> {
  const page = await get(`/api/journal?limit=${limit}`);
  return (page.entries as Record<string, unknown>[])
    .map(({ action, user, workspaces, before, after, actor }) => ({ action, user, workspaces, before, after, actor }))
    .toReversed();
}

const EXPIRY = { kind: 'system', id: 'user-admin expiry' };
const ADA = { kind: 'user', id: 'ada' };

describe('an assignment with an end', () => {
  it('tells the end where it tells the memberships', async () => {
    expect(await call('workspace-assign', { ...BEN, until: HOUR }, REPRESENTED)).toEqual([
      200,
      {
        ...ASSIGNED,
        result: {
          users: [
            {
              id: 'ben',
              workspaces: ['atlas'],
              groups: ['atlas-managers'],
              until: { workspaces: { atlas: HOUR }, groups: { 'atlas-managers': HOUR } },
              type: { before: 'guest', after: 'manager' },
            },
          ],
          unchanged: 0,
          refused: [],
        },
      },
    ]);
    expect(await memberships('ben')).toEqual([
      {
        workspace: { id: 'atlas', name: 'atlas', until: HOUR },
        groups: [{ id: 'atlas-managers', name: 'atlas-managers', until: HOUR }],
      },
    ]);
    const { permissions } = (await get('/api/users/ben/permissions')) as { permissions: { sources: unknown[] }[] };
    expect(permissions.flatMap(({ sources }) => sources)).toMatchObject([
      { kind: 'group', id: 'atlas-managers', workspace: 'atlas', until: HOUR },
      { kind: 'workspace', id: 'atlas', until: HOUR },
    ]);
    expect(await entries(2)).toEqual([
      {
        action: 'user.workspaces.assigned',
        user: 'ben',
        workspaces: ['atlas'],
        before: null,
        after: {
          workspaces: ['atlas'],
          groups: ['atlas-managers'],
          until: { workspaces: { atlas: HOUR }, groups: { 'atlas-managers': HOUR } },
        },
        actor: ADA,
      },
      {
        action: 'user.type.changed',
        user: 'ben',
        workspaces: [],
        before: { type: 'guest' },
        after: { type: 'manager' },
        actor: ADA,
      },
    ]);
  });

  it('is carried out at its end, once, with the type right and the journal saying why', async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await clock.passes(3700);
    await service.app.get(Expiry).carryOut();
    expect(await memberships('ben')).toEqual([]);
    expect(await get('/api/users/ben')).toMatchObject({ type: 'guest', status: 'active' });
    expect(await entries(2)).toEqual([
      {
        action: 'user.workspaces.unassigned',
        user: 'ben',
        workspaces: ['atlas'],
        before: { workspaces: ['atlas'], groups: ['atlas-managers'] },
        after: null,
        actor: EXPIRY,
      },
      {
        action: 'user.type.changed',
        user: 'ben',
        workspaces: [],
        before: { type: 'manager' },
        after: { type: 'guest' },
        actor: EXPIRY,
      },
    ]);
  });

  it('never shortens: of two ends the later one holds, and none takes the end away', async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await call('workspace-assign', { ...BEN, groups: [], until: DAY });
    await call('workspace-assign', { ...BEN, until: at(60) });
    expect(await memberships('ben')).toMatchObject([{ workspace: { until: DAY }, groups: [{ until: HOUR }] }]);
    expect(await call('workspace-assign', BEN, REPRESENTED)).toMatchObject([
      200,
      {
        result: {
          users: [
            {
              id: 'ben',
              workspaces: [],
              groups: [],
              until: { workspaces: { atlas: null }, groups: { 'atlas-managers': null } },
            },
          ],
        },
      },
    ]);
    expect(await memberships('ben')).toEqual([
      { workspace: { id: 'atlas', name: 'atlas' }, groups: [{ id: 'atlas-managers', name: 'atlas-managers' }] },
    ]);
    await call('workspace-assign', { ...BEN, until: HOUR });
    expect(await entries(1)).toEqual([
      {
        action: 'user.workspaces.extended',
        user: 'ben',
        workspaces: ['atlas'],
        before: { workspaces: { atlas: DAY }, groups: { 'atlas-managers': HOUR } },
        after: { workspaces: { atlas: null }, groups: { 'atlas-managers': null } },
        actor: ADA,
      },
    ]);
  });

  it.each([
    ['no offset', '2031-01-01T00:00:00', MALFORMED],
    ['no time', 'tomorrow', MALFORMED],
    ['a number', 5, MALFORMED],
    ['the past', '2020-01-01T00:00:00Z', NOT_AHEAD],
    ['more than ten years', at(10 * 366 * 86_400), NOT_AHEAD],
    ['no day', '2031-02-30T00:00:00Z', MALFORMED],
  ])('is refused with %s', async (_, until, message) => {
    const refusal = { status: 400, message };
    for (const operation of ['workspace-assign', 'workspace-unassign'])
      expect(await call(operation, { ...BEN, until })).toEqual([400, refusal]);
    expect(await memberships('ben')).toEqual([]);
  });

  it('judges a malformed end before what is too large, and one that lies behind before what is unknown', async () => {
    const tooMany = Array.from({ length: 10_001 }, (_, index) => `u${index}`);
    expect(await call('workspace-assign', { ...BEN, userIds: tooMany, until: 'x' })).toMatchObject([
      400,
      { message: MALFORMED },
    ]);
    expect(await call('workspace-assign', { ...BEN, userIds: tooMany, until: '2020-01-01T00:00:00Z' })).toMatchObject([
      400,
      { message: 'This request is too large: at most 10,000 users.' },
    ]);
    expect(
      await call('workspace-assign', { ...BEN, userIds: ['nobody'], until: '2020-01-01T00:00:00Z' }),
    ).toMatchObject([400, { message: NOT_AHEAD }]);
  });
});

describe('an unassignment with an end', () => {
  it('ends these memberships then, with all groups of the workspace, unless they end earlier', async () => {
    await call('workspace-assign', BEN);
    expect(
      await call('workspace-unassign', { userIds: ['ben', 'zoe'], workspaces: ['atlas'], until: DAY }, REPRESENTED),
    ).toEqual([
      200,
      {
        ...UNASSIGNED,
        result: {
          users: [
            {
              id: 'ben',
              workspaces: [],
              groups: [],
              until: { workspaces: { atlas: DAY }, groups: { 'atlas-managers': DAY } },
            },
          ],
          unchanged: 1,
          refused: [],
        },
      },
    ]);
    await call('workspace-unassign', { ...BEN, until: HOUR });
    await call('workspace-unassign', { ...BEN, until: DAY });
    expect(await memberships('ben')).toMatchObject([{ workspace: { until: DAY }, groups: [{ until: HOUR }] }]);
    expect((await entries(2)).slice(-1)).toEqual([
      {
        action: 'user.workspaces.shortened',
        user: 'ben',
        workspaces: ['atlas'],
        before: { workspaces: {}, groups: { 'atlas-managers': DAY } },
        after: { workspaces: {}, groups: { 'atlas-managers': HOUR } },
        actor: ADA,
      },
    ]);
  });
});

describe('what has passed', () => {
  it('is read as ended before it is carried out', async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await service.dataSource.query(`UPDATE users SET active_until = $1 WHERE id = 'zoe'`, [HOUR]);
    await clock.advance(3700);
    expect(await memberships('ben')).toEqual([]);
    expect(await get('/api/users/zoe')).toMatchObject({ status: 'inactive', activeUntil: null });
    const answer = await ask(`${service.url}/api/me`, {
      headers: { authorization: `Bearer ${service.tokenOf('zoe')}` },
    });
    expect(answer.status).toBe(401);
  });

  it('deactivates a user, once', async () => {
    const patched = await ask(`${service.url}/api/users/ben`, {
      method: 'PATCH',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ activeUntil: HOUR }),
    });
    expect(JSON.parse(patched.text)).toMatchObject({ activeUntil: HOUR, status: 'active' });
    expect(await entries(1)).toMatchObject([
      { action: 'user.updated', before: { activeUntil: null }, after: { activeUntil: HOUR } },
    ]);
    await clock.passes(3700);
    expect(await get('/api/users/ben')).toMatchObject({ status: 'inactive', activeUntil: null });
    expect(await entries(1)).toMatchObject([
      {
        action: 'user.status.changed',
        user: 'ben',
        before: { status: 'active' },
        after: { status: 'inactive' },
        actor: EXPIRY,
      },
    ]);
    await call('status-assign', { userIds: ['ben'], status: 'active' });
    await clock.passes(10);
    expect(await get('/api/users/ben')).toMatchObject({ status: 'active', activeUntil: null });
  });

  it('is gone with an entry of its own for who was inactive already', async () => {
    await service.dataSource.query(`UPDATE users SET active_until = $1 WHERE id = 'cyd'`, [HOUR]);
    await clock.passes(3700);
    expect(await get('/api/users/cyd')).toMatchObject({ status: 'inactive', activeUntil: null });
    expect(await entries(1)).toMatchObject([
      {
        action: 'user.updated',
        user: 'cyd',
        before: { activeUntil: HOUR },
        after: { activeUntil: null },
        actor: EXPIRY,
      },
    ]);
  });

  it('leaves the last administrator, tries again, and holds back no other', async () => {
    await service.dataSource.query(`UPDATE users SET active_until = $1 WHERE id IN ('ada', 'zoe', 'ben')`, [HOUR]);
    await clock.passes(3700);
    const users = (await service.dataSource.query(
      `SELECT id, status FROM users WHERE id IN ('ada', 'zoe', 'ben') ORDER BY id`,
    )) as { id: string; status: string }[];
    expect(users.filter(({ status }) => status === 'active')).toHaveLength(1);
    expect(users.find(({ id }) => id === 'ben')?.status).toBe('inactive');
    const [last] = users.filter(({ status }) => status === 'active');
    const authorization = `Bearer ${service.tokenOf(last?.id ?? '')}`;
    expect((await ask(`${service.url}/api/me`, { headers: { authorization } })).status).toBe(200);
    await service.dataSource.query(`UPDATE users SET status = 'active' WHERE id = 'old-admin'`);
    await clock.passes(61);
    const [row] = (await service.dataSource.query('SELECT status FROM users WHERE id = $1', [last?.id])) as [
      { status: string },
    ];
    expect(row.status).toBe('inactive');
  });
});
