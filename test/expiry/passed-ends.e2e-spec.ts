import { exportDirectory } from '../../src/plugins/transfer/export-directory';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { Expiry } from '../../src/expiry/expiry';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { ask, post } from '../support/ask';
import { BEN, DAY, HOUR, useEndsClock } from '../support/ends';
import { newestEntries } from '../support/sealed';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();
const clock = useEndsClock(service);

const LASTING = [
  { workspace: { id: 'atlas', name: 'atlas' }, groups: [{ id: 'atlas-managers', name: 'atlas-managers' }] },
];

beforeAll(() => service.app.get(Expiry).beforeApplicationShutdown());

beforeEach(() => writeSmallDirectory(service));

const headers = () => ({ authorization: `Bearer ${service.tokenOf('ada')}` });

async function call(operation: string, body: object, more: Record<string, string> = {}): Promise<unknown[]> {
  const answer = await post(`${service.url}/api/users/${operation}`, body, { ...headers(), ...more });
  return [answer.status, JSON.parse(answer.text)];
}

async function send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { text } = await ask(`${service.url}${path}`, {
    method,
    headers: { ...headers(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}

const memberships = async (id: string) => (await send('GET', `/api/users/${id}/memberships`)).memberships;
const load = (user: object) =>
  importDirectory(
    service.dataSource,
    [JSON.stringify({ user })],
    { actor: { kind: 'system', id: 'test import' } },
    { userTypes: service.app.get(UserTypeService) },
  );

/** The newest entries of a user, newest first, without what differs between runs. */
async function entriesOf(user: string, count: number): Promise<unknown[]> {
  const entries = await newestEntries(service.dataSource, count, { user });
  return entries.map(({ action, before, after }) => [action, before, after]);
}

async function exported(id: string): Promise<unknown> {
  for await (const line of exportDirectory(service.dataSource)) {
    const { user } = JSON.parse(line) as { user?: { id: string } };
    if (user?.id === id) return user;
  }
  return undefined;
}

describe('an end that has passed, and that nothing has carried out yet', () => {
  it('stays an inactive account when its end is moved', async () => {
    await send('PATCH', '/api/users/ben', { activeUntil: HOUR });
    await clock.advance(3700);
    expect(await send('PATCH', '/api/users/ben', { activeUntil: DAY })).toMatchObject({
      status: 'inactive',
      activeUntil: DAY,
    });
    expect(await send('GET', '/api/users/ben')).toMatchObject({ status: 'inactive', activeUntil: DAY });
    expect(await entriesOf('ben', 2)).toEqual([
      ['user.status.changed', { status: 'active' }, { status: 'inactive' }],
      ['user.updated', { activeUntil: HOUR }, { activeUntil: DAY }],
    ]);
  });

  it('is an account that an import leaves inactive, or activates without an end', async () => {
    for (const id of ['ben', 'max']) await send('PATCH', `/api/users/${id}`, { activeUntil: HOUR });
    await clock.advance(3700);
    await load({ id: 'ben', activeUntil: DAY });
    await load({ id: 'max', status: 'active' });
    expect(await send('GET', '/api/users/ben')).toMatchObject({ status: 'inactive', activeUntil: DAY });
    expect(await send('GET', '/api/users/max')).toMatchObject({ status: 'active', activeUntil: null });
    await service.app.get(Expiry).carryOut();
    expect(await send('GET', '/api/users/max')).toMatchObject({ status: 'active', activeUntil: null });
  });

  it('is a membership that an assignment makes anew', async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await clock.advance(3700);
    expect(await call('workspace-assign', BEN, { prefer: 'return=representation' })).toEqual([
      200,
      {
        status: 200,
        message: 'Users successfully assigned to workspaces.',
        result: {
          users: [{ id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'] }],
          unchanged: 0,
          refused: [],
        },
      },
    ]);
    await service.app.get(Expiry).carryOut();
    expect(await memberships('ben')).toEqual(LASTING);
  });

  it('is a membership that an import makes anew', async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await clock.advance(3700);
    await load({ id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'] });
    expect(await entriesOf('ben', 1)).toEqual([
      ['user.workspaces.assigned', null, { workspaces: ['atlas'], groups: ['atlas-managers'] }],
    ]);
    await service.app.get(Expiry).carryOut();
    expect(await memberships('ben')).toEqual(LASTING);
  });

  it('does not keep a workspace when the assignment that gave it anew is undone', async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await clock.advance(3700);
    await call('workspace-assign', { ...BEN, groups: [] });
    const [entry] = await newestEntries(service.dataSource, 1, { action: ['user.workspaces.assigned'] });
    await send('POST', `/api/journal/${entry?.id}/undo`, {});
    expect(await memberships('ben')).toEqual([]);
  });

  it('is found as ended by every filter, and exported so', async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await send('PATCH', '/api/users/ben', { activeUntil: HOUR });
    const lists = ['workspace=atlas', 'group=atlas-managers', 'status=active'];
    const found = async () =>
      Promise.all(
        lists.map(async (filter) => {
          const { users } = (await send('GET', `/api/users?${filter}&id=ben`)) as { users: object[] };
          return users.length;
        }),
      );
    expect(await found()).toEqual([1, 1, 1]);
    await clock.advance(3700);
    expect(await found()).toEqual([0, 0, 0]);
    expect(await send('GET', '/api/users?status=inactive&id=ben')).toMatchObject({ users: [{ id: 'ben' }] });
    expect(await exported('ben')).toMatchObject({ status: 'inactive', workspaces: [], groups: [] });
    expect(await exported('ben')).not.toHaveProperty('activeUntil');
    expect(await send('GET', '/api/users/ben/permissions')).toMatchObject({ permissions: [] });
  });
});

describe('the facts of what is gone tell the ends', () => {
  const until = { workspaces: { atlas: DAY }, groups: { 'atlas-managers': HOUR } };

  beforeEach(async () => {
    await call('workspace-assign', { ...BEN, until: HOUR });
    await call('workspace-assign', { ...BEN, groups: [], until: DAY });
    await call('workspace-assign', { ...BEN, userIds: ['max'] });
  });

  it('with a workspace', async () => {
    await send('DELETE', '/api/workspaces/atlas');
    const [, unassigned] = await entriesOf('ben', 2);
    expect(unassigned).toEqual([
      'user.workspaces.unassigned',
      { workspaces: ['atlas'], groups: ['atlas-managers'], until },
      null,
    ]);
    expect(await entriesOf('max', 2)).toContainEqual([
      'user.workspaces.unassigned',
      { workspaces: ['atlas'], groups: ['atlas-managers'] },
      null,
    ]);
  });

  it('with a group', async () => {
    await send('DELETE', '/api/groups/atlas-managers');
    expect(await entriesOf('ben', 2)).toContainEqual([
      'user.workspaces.unassigned',
      { workspaces: [], groups: ['atlas-managers'], until: { workspaces: {}, groups: until.groups } },
      null,
    ]);
  });

  it('with a user', async () => {
    await send('PATCH', '/api/users/ben', { activeUntil: DAY });
    await send('DELETE', '/api/users/ben');
    const [deleted] = await newestEntries(service.dataSource, 1, { action: ['user.deleted'] });
    expect(deleted?.before).toMatchObject({
      status: 'active',
      activeUntil: DAY,
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
      until,
    });
  });

  it('and those of a user whom an import creates', async () => {
    await load({
      id: 'new',
      activeUntil: DAY,
      workspaces: [{ id: 'atlas', until: DAY }],
      groups: [{ id: 'atlas-managers', until: HOUR }],
    });
    const [created] = await newestEntries(service.dataSource, 1, { action: ['user.created'], user: 'new' });
    expect(created?.after).toEqual({
      email: null,
      displayName: null,
      status: 'active',
      activeUntil: DAY,
      permissions: [],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
      until,
    });
  });
});

describe('an end that is sent back as it was told changes nothing', () => {
  const sendBack: [door: string, user: string, send: (id: string, end: string) => Promise<unknown>][] = (
    ['ben', 'ada'] as const
  ).flatMap((user): typeof sendBack => [
    ['PATCH', user, (id, activeUntil) => send('PATCH', `/api/users/${id}`, { activeUntil })],
    ['a file', user, (id, activeUntil) => load({ id, activeUntil })],
  ]);

  it.each(sendBack)('by %s for %s', async (_, user, back) => {
    await call('status-assign', { userIds: ['zoe'], status: 'inactive' });
    await send('PATCH', `/api/users/${user}`, { activeUntil: HOUR });
    // That of the last administrator is refused; that of Ben lies ahead.
    if (user === 'ada') await clock.passes(3700);
    const told = await send('GET', `/api/users/${user}`);
    expect(told).toMatchObject({ status: 'active', activeUntil: HOUR });
    const [rows, [newest]] = [await everyRow(service), await newestEntries(service.dataSource, 1, {})];
    await back(user, HOUR);
    expect(await everyRow(service)).toEqual(rows);
    expect((await newestEntries(service.dataSource, 1, {}))[0]).toEqual(newest);
    expect(await send('GET', `/api/users/${user}`)).toEqual(told);
  });
});
