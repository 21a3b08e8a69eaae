import { exportDirectory } from '../../src/plugins/transfer/export-directory';
import { ask } from '../support/ask';
import { newestEntries } from '../support/sealed';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();
const PASSED = '2020-01-01T00:00:00Z';
const [SOON, LATER] = ['2035-01-01T00:00:00.000Z', '2035-06-01T00:00:00.000Z'];

beforeEach(() => writeSmallDirectory(service));

async function call(path: string, init: { method?: string; body?: string } = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/x-ndjson' };
  return JSON.parse((await ask(`${service.url}/api/${path}`, { ...init, headers })).text) as unknown;
}

interface Result {
  changed: { users: number };
  unchanged: { users: number };
  deactivated: number;
  changes?: object[];
}

async function load(user: object, query = ''): Promise<Result> {
  const sent = await call(`imports${query}`, { method: 'POST', body: JSON.stringify({ user }) });
  return (sent as { result: Result }).result;
}

/** What a dry run lists of the only line, which the import then counts as changed. */
async function changeBy(user: object): Promise<object> {
  const { changes } = await load(user, '?dryRun=true');
  expect(await load(user)).toMatchObject({ changed: { users: 1 }, unchanged: { users: 0 } });
  expect(await load(user)).toMatchObject({ changed: { users: 0 }, unchanged: { users: 1 } });
  expect(changes).toEqual([expect.objectContaining({ line: 1, record: 'user', change: 'changed' })]);
  return changes![0]!;
}

describe('an import of ends', () => {
  it('counts and lists a change of ends alone', async () => {
    const ben = (workspaces: object[]) => ({ id: 'ben', workspaces, groups: [] });
    await load(
      ben([
        { id: 'atlas', until: SOON },
        { id: 'borealis', until: LATER },
      ]),
    );
    expect(
      await changeBy(
        ben([
          { id: 'atlas', until: LATER },
          { id: 'borealis', until: SOON },
        ]),
      ),
    ).toMatchObject({
      before: { until: { workspaces: { atlas: SOON, borealis: LATER }, groups: {} } },
      after: { until: { workspaces: { atlas: LATER, borealis: SOON }, groups: {} } },
    });
    expect(
      await changeBy(
        ben([
          { id: 'atlas', until: null },
          { id: 'borealis', until: SOON },
        ]),
      ),
    ).toMatchObject({
      before: { until: { workspaces: { atlas: LATER }, groups: {} } },
      after: { until: { workspaces: { atlas: null }, groups: {} } },
    });
  });

  it('lists the ends of memberships that a user is given', async () => {
    await load({ id: 'cyd', workspaces: [], groups: [] });
    const cyd = { id: 'cyd', workspaces: [{ id: 'atlas', until: SOON }], groups: ['atlas-managers'] };
    expect(await changeBy(cyd)).toEqual({
      line: 1,
      record: 'user',
      id: 'cyd',
      change: 'changed',
      before: { workspaces: [], groups: [], until: { workspaces: {}, groups: {} } },
      after: {
        workspaces: ['atlas'],
        groups: ['atlas-managers'],
        until: { workspaces: { atlas: SOON }, groups: { 'atlas-managers': SOON } },
      },
    });
  });
});

describe('an import of what has passed', () => {
  it.each([
    ['by its own end', [{ id: 'atlas', until: PASSED }], [{ id: 'atlas-managers', until: PASSED }]],
    ["by the workspace's end", [{ id: 'atlas', until: PASSED }], ['atlas-managers']],
    [
      "by the workspace's end, and not by its own",
      [{ id: 'atlas', until: PASSED }],
      [{ id: 'atlas-managers', until: SOON }],
    ],
  ])('makes no membership, no type and an inactive user: %s', async (_, workspaces, groups) => {
    await load({ id: 'new', workspaces, groups, status: 'active', activeUntil: PASSED });
    expect(await call('users/new')).toMatchObject({ type: 'guest', status: 'inactive', activeUntil: null });
    expect(await call('users/new/memberships')).toEqual({ memberships: [], next: null });
    const after = { email: null, displayName: null, status: 'inactive', permissions: [], workspaces: [], groups: [] };
    expect(await newestEntries(service.dataSource, 1)).toEqual([
      expect.objectContaining({ action: 'user.created', user: 'new', after }),
    ]);
  });

  it('takes a membership and the activity of a user at once, by the caller', async () => {
    await load({ id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'] });
    const ben = { id: 'ben', workspaces: [{ id: 'atlas', until: PASSED }], groups: ['atlas-managers'] };
    expect(await load({ ...ben, activeUntil: PASSED })).toMatchObject({ deactivated: 1 });
    expect(await call('users/ben')).toMatchObject({ type: 'guest', status: 'inactive', activeUntil: null });
    expect(await newestEntries(service.dataSource, 5)).toContainEqual(
      expect.objectContaining({
        action: 'user.workspaces.unassigned',
        actor: { kind: 'user', id: 'ada' },
        before: { workspaces: ['atlas'], groups: ['atlas-managers'] },
      }),
    );
  });

  it('in a workspace ends the groups of it, also where the line gives no groups', async () => {
    await load({ id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'] });
    await load({ id: 'ben', workspaces: [{ id: 'atlas', until: PASSED }] });
    expect(await call('users/ben/memberships')).toEqual({ memberships: [], next: null });
    expect(await call('users/ben')).toMatchObject({ type: 'guest' });
  });

  it('refuses more than ten years, in a line of each kind', async () => {
    const year = new Date().getUTCFullYear() + 11;
    for (const time of [`${year}-01-01T00:00:00Z`, '9998-12-31T23:59:59Z'])
      for (const user of [
        { id: 'new', activeUntil: time },
        { id: 'new', workspaces: [{ id: 'atlas', until: time }] },
        { id: 'new', workspaces: ['atlas'], groups: [{ id: 'atlas-managers', until: time }] },
      ])
        expect(await call('imports', { method: 'POST', body: JSON.stringify({ user }) })).toEqual({
          status: 400,
          message: 'The file has errors. Nothing was imported.',
          errors: [{ line: 1, message: expect.stringContaining('is more than ten years ahead') as string }],
        });
  });

  it.each(['9999-12-31T23:59:59Z', '9999-12-31T00:00:00-14:00', '9999-12-31', '9999-01-01t00:00+01'])(
    'takes %s for no end',
    async (time) => {
      const ahead = new Date(Date.now() + 3_600_000).toISOString();
      await load({ id: 'ben', activeUntil: ahead, workspaces: [{ id: 'atlas', until: ahead }] });
      await load({ id: 'ben', activeUntil: time, workspaces: [{ id: 'atlas', until: time }] });
      expect(await call('users/ben')).toMatchObject({ activeUntil: null, status: 'active' });
      expect(await call('users/ben/memberships')).toEqual({
        memberships: [{ workspace: { id: 'atlas', name: 'atlas' }, groups: [] }],
        next: null,
      });
    },
  );

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00'])(
    'refuses %s, which is in no year that it can keep',
    async (time) => {
      for (const user of [
        { id: 'new', activeUntil: time },
        { id: 'new', workspaces: [{ id: 'atlas', until: time }] },
      ])
        expect(await call('imports', { method: 'POST', body: JSON.stringify({ user }) })).toMatchObject({
          status: 400,
          message: 'The file has errors. Nothing was imported.',
          errors: [{ line: 1 }],
        });
    },
  );

  it('in a group alone leaves the workspace', async () => {
    await load({ id: 'new', workspaces: ['atlas'], groups: [{ id: 'atlas-managers', until: PASSED }] });
    expect(await call('users/new/memberships')).toMatchObject({
      memberships: [{ workspace: { id: 'atlas' }, groups: [] }],
    });
  });

  it('changes nothing where the end was refused', async () => {
    const refused = `UPDATE users SET active_until = $1, end_refused_at = now() WHERE id = 'ada'`;
    await service.dataSource.query(refused, [PASSED]);
    const lines: string[] = [];
    for await (const line of exportDirectory(service.dataSource)) lines.push(line);
    expect(lines.join('')).toContain('"activeUntil":"2020-01-01T00:00:00.000Z"');
    const sent = await call('imports?dryRun=true', { method: 'POST', body: lines.join('\n') });
    expect(sent).toMatchObject({ result: { changed: { users: 0 }, deactivated: 0, changes: [] } });
  });

  it('leaves a refused end refused where it changes something else', async () => {
    const refused = `UPDATE users SET active_until = $1, end_refused_at = now() WHERE id = 'ada'`;
    await service.dataSource.query(refused, [PASSED]);
    expect(await changeBy({ id: 'ada', displayName: 'Ada' })).toMatchObject({ after: { displayName: 'Ada' } });
    expect(await call('users/ada')).toMatchObject({
      displayName: 'Ada',
      status: 'active',
      activeUntil: '2020-01-01T00:00:00.000Z',
    });
  });

  it('gives a group to whom the end of its workspace was refused', async () => {
    await load({ id: 'ben', workspaces: ['atlas'], groups: [] });
    await service.dataSource.query(
      `UPDATE workspace_memberships SET ends_at = $1, end_refused_at = now()
       WHERE user_key = (SELECT key FROM users WHERE id = 'ben')`,
      [PASSED],
    );
    await load({ id: 'ben', groups: ['atlas-managers'] });
    expect(await call('users/ben/memberships')).toMatchObject({
      memberships: [{ workspace: { id: 'atlas' }, groups: [{ id: 'atlas-managers' }] }],
    });
  });
});
