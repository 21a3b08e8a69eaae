import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { ask } from '../support/ask';
import { at } from '../support/ends';
import { call } from '../support/record-calls';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const UNDONE = { status: 200, message: 'The change was undone.' };
const NOTHING_UNDONE = { status: 200, message: 'There was nothing left to undo.' };

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

async function importFile(records: object[], query = ''): Promise<void> {
  const answer = await ask(`${service.url}/api/imports${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/x-ndjson' },
    body: records.map((record) => JSON.stringify(record)).join('\n'),
  });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
}

const newest = async () => ((await call(service, 'GET', '/api/journal?limit=200')).body as JournalPageDto).entries;
const undo = (entry: string, query = '') =>
  call(service, 'POST', `/api/journal/${entry}/undo${query}`, {
    body: { reason: 'The wrong file' },
    headers: { prefer: 'return=representation' },
  });
const state = () => service.directory.state();
const change = (path: string, body: object) => call(service, 'POST', `/api/users/${path}`, { body });

/** The entry of the newest import, and all that have its time. */
async function imported() {
  const entries = await newest();
  const first = entries.find(({ action }) => action === 'directory.imported');
  return { id: first?.id as string, all: entries.filter(({ at: time }) => time === first?.at).map(({ id }) => id) };
}

it('an import is undone by any of its entries: statuses, memberships and ends of those who existed, and nothing else', async () => {
  const [end, later] = [at(3600), at(7200)];
  await change('status-assign', { userIds: ['cyd'], status: 'active' });
  await change('workspace-assign', { userIds: ['max', 'zoe'], workspaces: ['atlas'], groups: ['atlas-managers'] });
  await change('workspace-assign', { userIds: ['cyd'], workspaces: ['borealis'], until: end });
  const before = await state();
  const file = [
    { permission: { id: 'new', grants: 'guest' } },
    { workspace: { id: 'delta', name: 'Delta' } },
    { group: { id: 'atlas-managers', name: 'Renamed', workspace: 'atlas' } },
    { user: { id: 'nia', displayName: 'Nia', workspaces: ['atlas', 'delta'] } },
    { user: { id: 'ben', displayName: 'Benedict', workspaces: ['delta', 'borealis'], groups: ['borealis-editors'] } },
    { user: { id: 'cyd', status: 'inactive', workspaces: [{ id: 'borealis', until: later }] } },
    { user: { id: 'max', workspaces: [], groups: [] } },
  ];
  await importFile(file, '?deactivateMissing=true&atMost=100%25&keep=ada&includeAdministrators=true');
  const after = await state();
  const { all } = await imported();
  expect(all.length).toBeGreaterThan(8);

  for (const id of all) {
    const answer = await undo(id, '?dryRun=true');
    expect([id, answer.status, answer.body]).toMatchObject([id, 200, { result: { kept: 5 } }]);
    expect(await state()).toEqual(after);
  }
  const answer = await undo(all[3] as string);
  expect(answer.body).toEqual({
    ...UNDONE,
    result: {
      users: [
        { id: 'ben', workspaces: ['borealis', 'delta'], groups: ['borealis-editors'] },
        {
          id: 'cyd',
          workspaces: [],
          groups: [],
          until: { workspaces: { borealis: end }, groups: {} },
          status: { before: 'inactive', after: 'active' },
        },
        { id: 'max', workspaces: ['atlas'], groups: ['atlas-managers'] },
        { id: 'zoe', status: { before: 'inactive', after: 'active' } },
      ],
      unchanged: 0,
      refused: [],
      // The permission, the workspace, the name of the group, Nia, and the name of Ben.
      kept: 5,
    },
  });
  expect(await state()).toEqual({
    users: expect.arrayContaining(before.users),
    workspaces: [...before.workspaces, 'nia in atlas', 'nia in delta'].sort(),
    groups: before.groups,
  });

  const rows = await everyRow(service);
  expect((await undo(all[0] as string)).body).toEqual({
    ...NOTHING_UNDONE,
    result: { users: [], unchanged: 4, refused: [], kept: 5 },
  });
  expect(await everyRow(service)).toEqual(rows);
  expect((await undo((await newest())[0]?.id as string)).body).toMatchObject(UNDONE);
  expect(await state()).toEqual(after);
});

it('what somebody has changed since stays, and what was deleted since does not count', async () => {
  await importFile([
    { workspace: { id: 'delta', name: 'Delta' } },
    { user: { id: 'nia' } },
    { user: { id: 'ben', workspaces: ['atlas', 'delta'] } },
  ]);
  const { id } = await imported();
  await change('workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'] });
  await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
  await call(service, 'DELETE', '/api/users/nia');
  expect((await undo(id)).body).toEqual({
    ...UNDONE,
    result: { users: [{ id: 'ben', workspaces: ['delta'], groups: [] }], unchanged: 0, refused: [], kept: 1 },
  });
  expect((await state()).workspaces).toContain('ben in atlas');
});

it('of one that only created, nothing is undone, and kept says how many stay', async () => {
  await importFile([{ user: { id: 'nia', workspaces: ['atlas'] } }, { user: { id: 'ola' } }]);
  const { id } = await imported();
  const before = await state();
  expect((await undo(id)).body).toEqual({
    ...NOTHING_UNDONE,
    result: { users: [], unchanged: 0, refused: [], kept: 2 },
  });
  expect(await state()).toEqual(before);
});

it('one of which nothing stays has no kept', async () => {
  await importFile([{ user: { id: 'ben', status: 'inactive' } }]);
  const { id } = await imported();
  expect((await undo(id)).body).toEqual({
    ...UNDONE,
    result: {
      users: [{ id: 'ben', status: { before: 'inactive', after: 'active' } }],
      unchanged: 0,
      refused: [],
    },
  });
});

it('one that would take the last administrator away is refused', async () => {
  await change('status-assign', { userIds: ['zoe'], status: 'inactive' });
  await importFile([{ user: { id: 'zoe', status: 'active' } }]);
  const { id } = await imported();
  await call(service, 'POST', '/api/users/status-assign', {
    body: { userIds: ['ada'], status: 'inactive' },
    caller: 'zoe',
  });
  const answer = await call(service, 'POST', `/api/journal/${id}/undo`, { caller: 'zoe' });
  expect([answer.status, answer.body]).toEqual([
    409,
    { status: 409, message: 'At least one active administrator must remain.' },
  ]);
});
