import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { call, type RecordAnswer } from '../support/record-calls';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const UNDONE = { status: 200, message: 'The change was undone.' };
const NOTHING_UNDONE = { status: 200, message: 'There was nothing left to undo.' };
const UNKNOWN = { status: 404, message: 'There is no such entry in the journal.' };
const NOT_UNDOABLE = { status: 409, message: 'This change cannot be undone here.' };

const service = useTestService();

beforeEach(() => writeSmallDirectory(service));

function post(path: string, body?: unknown, headers?: Record<string, string>, caller?: string): Promise<RecordAnswer> {
  return call(service, 'POST', path, { body, headers, ...(caller && { caller }) });
}

/** Makes a change, and returns the id of one of its entries: the newest with this action, or of all. */
async function change(path: string, body: object, action = ''): Promise<string> {
  expect((await post(`/api/users/${path}`, body)).status).toBe(200);
  const { entries } = await journal();
  return (entries.find((entry) => entry.action.includes(action)) as { id: string }).id;
}

async function journal(query = ''): Promise<JournalPageDto> {
  return (await call(service, 'GET', `/api/journal${query}`)).body as JournalPageDto;
}

const undo = (entry: string, query = '', headers?: Record<string, string>) =>
  post(`/api/journal/${entry}/undo${query}`, { reason: 'The wrong people' }, headers);
const state = () => service.directory.state();

const EVERYBODY = ['ben', 'cyd', 'max'];
const INTO_ATLAS = { userIds: EVERYBODY, workspaces: ['atlas', 'borealis'], groups: ['atlas-managers'] };

describe('undoing', () => {
  it.each(['user.workspaces.assigned', 'user.type.changed'])(
    'an assignment takes back what it added, by its entry %s',
    async (action) => {
      await service.directory.member('max', 'atlas');
      const before = await state();
      const entry = await change('workspace-assign', INTO_ATLAS, action);
      expect(await undo(entry)).toMatchObject({ status: 200, body: UNDONE });
      expect(await state()).toEqual(before);
    },
  );

  it('an unassignment gives the memberships and their groups back', async () => {
    await change('workspace-assign', INTO_ATLAS);
    const before = await state();
    const entry = await change('workspace-unassign', { userIds: EVERYBODY, workspaces: ['atlas'] });
    expect((await undo(entry)).body).toEqual(UNDONE);
    expect(await state()).toEqual(before);
  });

  it.each(['status-assign', 'manage-status'])('a change of statuses by %s sets them back', async (path) => {
    const before = await state();
    const entry = await change(
      path,
      path === 'manage-status'
        ? { id: 'ben', token: service.tokenOf('ada') }
        : { userIds: ['ben', 'cyd', 'zoe'], status: 'inactive' },
      'user.status.changed',
    );
    expect((await undo(entry)).body).toEqual(UNDONE);
    expect(await state()).toEqual(before);
  });

  it('again changes nothing, and can itself be undone', async () => {
    const before = await state();
    const entry = await change('workspace-assign', INTO_ATLAS);
    const after = await state();
    await undo(entry);
    const undoing = (await journal()).entries[0]?.id as string;
    const rows = await everyRow(service);
    expect((await undo(entry)).body).toEqual(NOTHING_UNDONE);
    expect((await undo(entry, '', { prefer: 'return=representation' })).body).toEqual({
      ...NOTHING_UNDONE,
      result: { users: [], unchanged: 3, refused: [] },
    });
    expect((await undo(entry, '?dryRun=true')).body).toMatchObject({ message: expect.stringMatching(/^Nothing was/) });
    expect(await everyRow(service)).toEqual(rows);
    expect((await journal()).entries[0]?.id).toBe(undoing);
    await undo(undoing);
    expect(await state()).toEqual(after);
    await undo((await journal()).entries[0]?.id as string);
    expect(await state()).toEqual(before);
  });

  it('that found nothing says so to a retry as well, in the language of the first', async () => {
    const entry = await change('workspace-assign', INTO_ATLAS);
    await undo(entry);
    const headers = { 'idempotency-key': 'nothing', 'accept-language': 'de' };
    const first = await undo(entry, '', headers);
    expect(first.body).toEqual({ status: 200, message: 'Es gab nichts mehr rückgängig zu machen.' });
    await undo((await journal()).entries[0]?.id as string);
    const again = await undo(entry, '', { ...headers, 'accept-language': 'en' });
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
  });

  it('leaves what somebody has changed since', async () => {
    const entry = await change('workspace-assign', INTO_ATLAS);
    // Ben was taken out and came again, Cyd was put into a group of Borealis, and Max had left his group.
    await change('workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'] });
    await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    await change('workspace-assign', { userIds: ['cyd'], workspaces: ['borealis'], groups: ['borealis-editors'] });
    await change('workspace-unassign', { userIds: ['max'], workspaces: ['atlas'], groups: ['atlas-managers'] });
    const answer = await undo(entry, '', { prefer: 'return=representation' });
    expect(answer.body).toEqual({
      ...UNDONE,
      result: {
        users: [
          { id: 'ben', workspaces: ['borealis'], groups: [] },
          { id: 'cyd', workspaces: ['atlas'], groups: ['atlas-managers'], type: { before: 'manager', after: 'guest' } },
          { id: 'max', workspaces: ['atlas', 'borealis'], groups: [] },
        ],
        unchanged: 0,
        refused: [],
      },
    });
    expect(await state()).toMatchObject({
      workspaces: ['ben in atlas', 'cyd in borealis'],
      groups: ['cyd in borealis-editors'],
    });
  });

  it('gives a group back only to who is in its workspace', async () => {
    await change('workspace-assign', { userIds: ['ben', 'cyd'], workspaces: ['atlas'], groups: ['atlas-managers'] });
    const entry = await change('workspace-unassign', {
      userIds: ['ben', 'cyd'],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
    });
    await change('workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'] });
    await undo(entry);
    expect(await state()).toMatchObject({ workspaces: ['cyd in atlas'], groups: ['cyd in atlas-managers'] });
  });

  it('skips users, workspaces and groups that were deleted since, also if there are new ones with their ids', async () => {
    await change('workspace-assign', INTO_ATLAS);
    const entry = await change('workspace-unassign', { userIds: EVERYBODY, workspaces: ['atlas', 'borealis'] });
    for (const path of ['users/ben', 'users/max', 'workspaces/borealis', 'groups/atlas-managers']) {
      expect((await call(service, 'DELETE', `/api/${path}`)).status).toBe(204);
    }
    await post('/api/users', { id: 'ben' });
    await post('/api/workspaces', { id: 'borealis', name: 'Borealis' });
    await post('/api/groups', { id: 'atlas-managers', name: 'Managers', workspace: 'atlas' });
    const answer = await undo(entry, '', { prefer: 'return=representation' });
    expect(answer.body).toMatchObject({
      result: { users: [{ id: 'cyd', workspaces: ['atlas'], groups: [] }], unchanged: 2 },
    });
    expect(await state()).toMatchObject({ workspaces: ['cyd in atlas'], groups: [] });
  });

  it('sets a status back unless it was changed since', async () => {
    const entry = await change('status-assign', { userIds: ['ben', 'max'], status: 'inactive' });
    await change('status-assign', { userIds: ['ben'], status: 'active' });
    await change('status-assign', { userIds: ['ben'], status: 'inactive' });
    const answer = await undo(entry, '', { prefer: 'return=representation' });
    expect(answer.body).toEqual({
      ...UNDONE,
      result: { users: [{ id: 'max', status: { before: 'inactive', after: 'active' } }], unchanged: 1, refused: [] },
    });
  });

  it('with dryRun=true returns what would change, and changes nothing', async () => {
    const entry = await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    const rows = await everyRow(service);
    expect((await undo(entry, '?dryRun=true')).body).toEqual({
      status: 200,
      message: 'Nothing was changed: this was a dry run.',
      result: {
        users: [{ id: 'ben', workspaces: ['atlas'], groups: [], type: { before: 'member', after: 'guest' } }],
        unchanged: 0,
        refused: [],
      },
    });
    expect(await everyRow(service)).toEqual(rows);
    expect((await journal()).entries[0]?.reason).toBeNull();
  });

  it('is recorded as any change, with its reason, and repeated once for each key', async () => {
    const entry = await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    const headers = { 'idempotency-key': 'undo-once' };
    const [first, second] = [await undo(entry, '', headers), await undo(entry, '', headers)];
    expect([first.body, second.body]).toEqual([UNDONE, UNDONE]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const { entries } = await journal();
    const ofUndoing = entries.filter(({ id }) => Number(id) > Number(entry)).reverse();
    expect(ofUndoing).toEqual([
      expect.objectContaining({
        action: 'user.workspaces.unassigned',
        user: 'ben',
        workspaces: ['atlas'],
        before: { workspaces: ['atlas'], groups: [] },
        after: null,
        actor: { kind: 'user', id: 'ada' },
        reason: 'The wrong people',
      }),
      expect.objectContaining({ action: 'user.type.changed', after: { type: 'guest' } }),
    ]);
  });

  it('needs no body', async () => {
    const entry = await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    expect((await post(`/api/journal/${entry}/undo`)).body).toEqual(UNDONE);
  });

  it('is refused if no active administrator would be left', async () => {
    await service.directory.user('eve', { type: 'administrator', permissions: ['administer'], status: 'inactive' });
    const entry = await change('status-assign', { userIds: ['eve'], status: 'active' });
    await call(service, 'POST', '/api/users/status-assign', {
      body: { userIds: ['ada', 'zoe'], status: 'inactive' },
      caller: 'eve',
    });
    const answer = await post(`/api/journal/${entry}/undo`, {}, {}, 'eve');
    expect([answer.status, answer.body]).toEqual([
      409,
      { status: 409, message: 'At least one active administrator must remain.' },
    ]);
  });
});

describe('undoing is refused', () => {
  it.each(['0', '-1', '1.5', '9007199254740993', '99999999999999999999', 'nothing', '%00', '1%20', '0x10', '٣'])(
    'for the entry %s, which does not exist',
    async (entry) => {
      expect((await undo(entry)).body).toEqual(UNKNOWN);
    },
  );

  it('for the entry that follows the newest', async () => {
    await change('workspace-assign', INTO_ATLAS);
    expect((await undo(String(Number((await journal()).entries[0]?.id) + 1))).body).toEqual(UNKNOWN);
  });

  it.each([
    [
      'a user that was created with memberships',
      'POST',
      '/api/users',
      { id: 'dee', workspaces: ['atlas'], status: 'inactive' },
    ],
    ['a changed permission', 'PATCH', '/api/permissions/read', { grants: 'manager' }],
    ['a deleted workspace', 'DELETE', '/api/workspaces/atlas', undefined],
    ['changed permissions of a user', 'PATCH', '/api/users/ben', { permissions: ['manage'] }],
    ['a status token', 'POST', '/api/users/status-tokens', { id: 'ben', status: 'inactive' }],
  ])('for %s, by each of its entries', async (_, method, path, body) => {
    await change('workspace-assign', { userIds: ['ben', 'cyd'], workspaces: ['atlas'] });
    const newest = Number((await journal()).entries[0]?.id);
    expect((await call(service, method, path, { body })).status).toBeLessThan(300);
    const ids = (await journal()).entries.map(({ id }) => id).filter((id) => Number(id) > newest);
    expect(ids).not.toEqual([]);
    const rows = await everyRow(service);
    for (const id of ids) expect((await undo(id)).body).toEqual(NOT_UNDOABLE);
    expect(await everyRow(service)).toEqual(rows);
  });

  it.each([[''], [7], ['x'.repeat(501)], [['why']]])('for the reason %j, whatever the entry', async (reason) => {
    const entry = await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    const rows = await everyRow(service);
    expect((await post(`/api/journal/${entry}/undo`, { reason })).body).toEqual({
      status: 400,
      message: 'Please give a reason of 1 to 500 characters.',
    });
    expect(await everyRow(service)).toEqual(rows);
    expect((await post('/api/journal/0/undo', { reason })).status).toBe(400);
  });
});
