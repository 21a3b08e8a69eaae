import type { JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { verifyJournal } from '../../src/journal/verify-journal';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { call, type RecordAnswer, type RecordRequest } from '../support/record-calls';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const ERROR = (status: number, message: string) => ({ status, message });
const IMPORT_ACT = { actor: { kind: 'system', id: 'user-admin import' } } as const;

const service = useTestService();

/** Each test has users of its own, because the journal stays. */
let ben: string;
let tests = 0;

beforeEach(async () => {
  await writeSmallDirectory(service);
  tests += 1;
  ben = `ben|${tests}`;
  await send('POST', '/api/users', { body: { id: ben, email: `ben${tests}@example.com`, displayName: 'Ben' } });
});

const send = (method: string, path: string, request?: RecordRequest): Promise<RecordAnswer> =>
  call(service, method, path, request);
const at = (id: string) => `/api/users/${encodeURIComponent(id)}`;
const rename = (id: string, to: string, request: RecordRequest = {}): Promise<RecordAnswer> =>
  send('POST', `${at(id)}/rename`, { body: { id: to }, ...request });
const statusOf = async (answer: Promise<RecordAnswer>): Promise<number> => (await answer).status;
const assign = (userIds: string[], workspaces: string[], reason?: string) =>
  statusOf(send('POST', '/api/users/workspace-assign', { body: { userIds, workspaces, reason } }));

async function entries(query: string): Promise<JournalPageDto['entries']> {
  return ((await send('GET', `/api/journal?limit=200&${query}`)).body as JournalPageDto).entries;
}

/** The entries about a user, oldest first: the action, and the id of its time. */
async function history(id: string): Promise<string[]> {
  const found = await entries(`user=${encodeURIComponent(id)}`);
  return found.toReversed().map(({ action, user }) => `${action} ${user}`);
}

describe('renaming a user', () => {
  it('answers with the record under its new id, and keeps everything else', async () => {
    await send('PATCH', at(ben), { body: { permissions: ['administer', 'read'] } });
    await assign([ben], ['atlas', 'borealis']);
    const before = (await send('GET', at(ben))).body as object;
    const places = (await send('GET', `${at(ben)}/memberships`)).body;

    const renamed = await rename(ben, 'auth0|ä/b', { body: { id: 'auth0|ä/b', reason: 'Another provider' } });
    expect(renamed).toMatchObject({
      status: 200,
      body: { ...before, id: 'auth0|ä/b', updatedAt: expect.any(String) as string },
    });
    const address = new URL(renamed.headers.get('location') ?? '', service.url);
    expect(address.pathname).toBe('/api/users/auth0%7C%C3%A4%2Fb');
    const read = await send('GET', address.pathname);
    expect(read.body).toEqual(renamed.body);
    expect(read.headers.get('etag')).toBe(renamed.headers.get('etag'));
    expect((await send('GET', `${address.pathname}/memberships`)).body).toEqual(places);
    expect(await statusOf(send('GET', at(ben)))).toBe(404);
    const [entry] = await entries('action=user.renamed');
    expect(entry).toEqual({
      id: expect.any(String) as string,
      at: expect.any(String) as string,
      action: 'user.renamed',
      actor: { kind: 'user', id: 'ada' },
      grantedBy: null,
      user: ben,
      workspaces: [],
      before: { id: ben },
      after: { id: 'auth0|ä/b' },
      reason: 'Another provider',
      requestId: expect.any(String) as string,
    });
  });

  it('is told in brief with both ids', async () => {
    await rename(ben, `${ben}-2`);
    const [entry] = await entries('action=user.renamed&brief=true');
    expect(entry).toMatchObject({ before: { id: ben }, after: { id: `${ben}-2` } });
  });

  it('changes nothing if it is the same id', async () => {
    const [rows, told] = [await everyRow(service), await entries('')];
    const same = await rename(ben, ben);
    expect(same).toMatchObject({ status: 200, body: { id: ben } });
    expect(same.headers.get('location')).toBe(at(ben).replace('|', '%7C'));
    expect([await everyRow(service), await entries('')]).toEqual([rows, told]);
  });

  it.each<[string, RecordRequest, object]>([
    ['an unknown user', { headers: { path: 'nobody' } }, ERROR(404, 'There is no such user.')],
    ['an id that is taken', { body: { id: 'zoe' } }, ERROR(409, 'This id is already in use.')],
    ['no id', { body: {} }, ERROR(400, 'Please give a valid value for id.')],
    ['null', { body: { id: null } }, ERROR(400, 'Please give a valid value for id.')],
    ['an empty id', { body: { id: '' } }, ERROR(400, 'Please give a valid value for id.')],
    ['a number', { body: { id: 7 } }, ERROR(400, 'Please give a valid value for id.')],
    ['too long an id', { body: { id: 'x'.repeat(256) } }, ERROR(400, 'Please give a valid value for id.')],
    ['NUL', { body: { id: 'a\0' } }, ERROR(400, 'Please give a valid value for id.')],
    ['a lone surrogate', { body: '{"id":"\\ud800"}' }, ERROR(400, 'Please give a valid value for id.')],
    [
      'a changed record',
      { headers: { 'if-match': '"x"' } },
      ERROR(412, 'This record has been changed in the meantime.'),
    ],
    ['any record', { headers: { 'if-none-match': '*' } }, ERROR(412, 'This record has been changed in the meantime.')],
    ['a caller who may not', { caller: 'max' }, ERROR(403, 'Only an administrator can do this.')],
    ['a bad reason', { body: { id: 'b', reason: '' } }, ERROR(400, 'Please give a reason of 1 to 500 characters.')],
    [
      'a bad reason, before an id that is taken',
      { body: { id: 'zoe', reason: 7 } },
      ERROR(400, 'Please give a reason of 1 to 500 characters.'),
    ],
    ['a field, strictly', { body: { id: 'b', x: 1 }, headers: { prefer: 'handling=strict' } }, { status: 400 }],
  ])(
    'is refused for %s, and changes nothing',
    async (_, { headers: { path = ben, ...headers } = {}, ...request }, body) => {
      const [rows, told] = [await everyRow(service), await entries('')];
      const answer = await rename(path, 'new', { headers, ...request });
      expect(answer.body).toMatchObject(body);
      expect([await everyRow(service), await entries('')]).toEqual([rows, told]);
    },
  );

  it('leaves an id alone that no user could get today', async () => {
    await service.directory.user('ben ');
    expect(await rename('ben ', 'ben ')).toMatchObject({ status: 200, body: { id: 'ben ' } });
    const { body } = await rename('ben ', '\u200bben', { headers: { accept: 'application/problem+json' } });
    expect(body).toMatchObject({ code: 'field.invalid', errors: [{ pointer: '/id' }] });
    expect(await rename('ben ', `${ben}-3`)).toMatchObject({ status: 200, body: { id: `${ben}-3` } });
  });

  it('honors If-Match, and names the field at fault', async () => {
    const { headers } = await send('GET', at(ben));
    expect(await statusOf(rename(ben, `${ben}-2`, { headers: { 'if-match': headers.get('etag') ?? '' } }))).toBe(200);
    const taken = await rename(`${ben}-2`, 'zoe', { headers: { accept: 'application/problem+json' } });
    expect(taken.body).toMatchObject({ code: 'record.id_taken', errors: [{ pointer: '/id' }] });
  });

  it('frees the old id for somebody else, whom the old tokens then name', async () => {
    await rename('max', 'maxim');
    expect(await statusOf(send('GET', '/api/me', { caller: 'max' }))).toBe(401);
    expect((await send('GET', '/api/me', { caller: 'maxim' })).body).toMatchObject({ user: { type: 'manager' } });
    await send('POST', '/api/users', { body: { id: 'max', displayName: 'Another' } });
    expect((await send('GET', '/api/me', { caller: 'max' })).body).toMatchObject({ user: { displayName: 'Another' } });
  });

  it('lets the last administrator rename themself, once for each idempotency key', async () => {
    await send('POST', '/api/users/status-assign', { body: { userIds: ['zoe'], status: 'inactive' } });
    const key = { headers: { 'idempotency-key': `self-${tests}` } };
    const self = await rename('ada', 'ada-2', key);
    expect(self).toMatchObject({ status: 200, body: { id: 'ada-2', type: 'administrator' } });
    expect(await statusOf(rename('ada', 'ada-2', key))).toBe(401);
    const again = await rename('ada', 'ada-2', { ...key, caller: 'ada-2' });
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([200, self.body, 'true']);
    expect(again.headers.get('location')).toBe('/api/users/ada-2');
    expect(await statusOf(rename('ada-2', 'ada', { caller: 'ada-2' }))).toBe(200);
  });

  it('keeps the idempotency keys of the user', async () => {
    const request = { body: { name: 'Once' }, headers: { 'idempotency-key': `kept-${tests}` } };
    const first = await send('POST', '/api/workspaces', { ...request, caller: 'zoe' });
    await rename('zoe', 'zoe-2');
    const again = await send('POST', '/api/workspaces', { ...request, caller: 'zoe-2' });
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    await send('POST', '/api/users', { body: { id: 'zoe', permissions: ['administer'] } });
    const ofAnother = await send('POST', '/api/workspaces', { ...request, caller: 'zoe' });
    expect(ofAnother.headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('status tokens after a renaming', () => {
  const mint = async (id: string, caller = 'ada'): Promise<string> =>
    (
      (await send('POST', '/api/users/status-tokens', { body: { id, status: 'inactive' }, caller })).body as {
        token: string;
      }
    ).token;
  const use = (id: string, token: string) =>
    statusOf(send('POST', '/api/users/manage-status', { body: { id, token }, caller: 'max' }));

  it('are void for the user: under the new id, under the old one, and when the user has it back', async () => {
    const token = await mint(ben);
    await rename(ben, `${ben}-2`);
    expect([await use(ben, token), await use(`${ben}-2`, token)]).toEqual([401, 401]);
    await rename(`${ben}-2`, ben);
    expect(await use(ben, token)).toBe(401);
    expect(await use(ben, await mint(ben))).toBe(200);
  });

  it('are void for whoever gets the id, even if created in the same moment', async () => {
    const lines = ['a', 'b'].map((name) => `{"user":{"id":"${ben}-${name}"}}`);
    await importDirectory(service.dataSource, lines, IMPORT_ACT, { userTypes: service.app.get(UserTypeService) });
    const token = await mint(`${ben}-a`);
    await rename(`${ben}-a`, `${ben}-c`);
    await rename(`${ben}-b`, `${ben}-a`);
    expect(await use(`${ben}-a`, token)).toBe(401);
  });

  it('are void if the user made them, also when the user has the id back', async () => {
    const tokens = [await mint(ben, 'zoe'), await mint(ben, 'zoe')];
    await rename('zoe', 'zoe-2');
    expect(await use(ben, tokens[0] ?? '')).toBe(401);
    await rename('zoe-2', 'zoe');
    expect(await use(ben, tokens[1] ?? '')).toBe(401);
    expect(await use(ben, await mint(ben, 'zoe'))).toBe(200);
  });
});

describe('the history of a renamed user', () => {
  it('is told under the new id, and under an old one only what happened under it', async () => {
    const [two, three] = [`${ben}-2`, `${ben}-3`];
    await assign([ben, 'max'], ['atlas']);
    await rename(ben, two);
    await assign(['max', two], ['borealis']);
    await rename(two, three);
    await send('PATCH', at(three), { body: { displayName: 'Benjamin' } });
    const first = [
      `user.created ${ben}`,
      `user.workspaces.assigned ${ben}`,
      `user.type.changed ${ben}`,
      `user.renamed ${ben}`,
    ];
    const second = [`user.workspaces.assigned ${two}`, `user.renamed ${two}`];
    expect(await history(ben)).toEqual(first);
    expect(await history(two)).toEqual(second);
    expect(await history(three)).toEqual([...first, ...second, `user.updated ${three}`]);

    const pages: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = (await send('GET', `/api/journal?limit=1&user=${three}${next && `&cursor=${next}`}`))
        .body as JournalPageDto;
      pages.push(...page.entries.map(({ action, user }) => `${action} ${user}`));
      next = page.next;
    }
    expect(pages.toReversed()).toEqual(await history(three));
    const narrowed = await entries(`user=${three}&action=user.workspaces.assigned&workspace=atlas&actor=ada`);
    expect(narrowed.map(({ user }) => user)).toEqual([ben]);
  });

  it('does not contain what others did under the same ids, before and after', async () => {
    await rename(ben, `${ben}-2`);
    await send('POST', '/api/users', { body: { id: ben, displayName: 'Another' } });
    await assign([ben, `${ben}-2`], ['atlas']);
    expect(await history(`${ben}-2`)).toEqual([
      `user.created ${ben}`,
      `user.renamed ${ben}`,
      `user.workspaces.assigned ${ben}-2`,
      `user.type.changed ${ben}-2`,
    ]);
    // The second one gets the id that the first one had, and its history does not begin before.
    await rename(`${ben}-2`, `${ben}-3`);
    await rename(ben, `${ben}-2`);
    await rename(`${ben}-2`, `${ben}-4`);
    expect(await history(`${ben}-4`)).toEqual([
      `user.created ${ben}`,
      `user.workspaces.assigned ${ben}`,
      `user.type.changed ${ben}`,
      `user.renamed ${ben}`,
      `user.renamed ${ben}-2`,
    ]);
    expect(await history(`${ben}-3`)).toHaveLength(5);
  });

  it('stays with a deleted user, and not with a later one', async () => {
    await rename(ben, `${ben}-2`);
    await send('DELETE', at(`${ben}-2`));
    expect(await history(`${ben}-2`)).toEqual([`user.created ${ben}`, `user.renamed ${ben}`, `user.deleted ${ben}-2`]);
    await send('POST', '/api/users', { body: { id: `${ben}-2` } });
    expect(await history(`${ben}-2`)).toEqual([`user.deleted ${ben}-2`, `user.created ${ben}-2`]);
  });

  it('comes back with the id', async () => {
    await rename(ben, `${ben}-2`);
    await rename(`${ben}-2`, ben);
    expect(await history(ben)).toEqual([`user.created ${ben}`, `user.renamed ${ben}`, `user.renamed ${ben}-2`]);
  });

  it('reaches a follower who waits for the new id', async () => {
    const { next } = (await send('GET', '/api/journal?after=now')).body as JournalPageDto;
    const waiting = send('GET', `/api/journal?after=${next}&wait=20&user=${ben}-2`);
    await rename(ben, `${ben}-2`);
    expect(((await waiting).body as JournalPageDto).entries).toMatchObject([{ action: 'user.renamed', user: ben }]);
  });

  it('says why the user holds a permission, whatever the id was then', async () => {
    await send('PATCH', at(ben), { body: { permissions: ['manage'] } });
    await send('POST', '/api/workspaces', { body: { id: 'office', name: 'Office', permissions: ['read'] } });
    await assign([ben], ['office'], 'Joins the team');
    const before = (await send('GET', `${at(ben)}/permissions`)).body;
    expect(JSON.stringify(before)).toContain('Joins the team');
    await rename(ben, `${ben}-2`);
    await send('POST', '/api/users', { body: { id: ben, permissions: ['read'] } });
    expect((await send('GET', `${at(`${ben}-2`)}/permissions`)).body).toEqual(before);
  });

  it('is undone under the new id, and not for whoever has the old one', async () => {
    await assign([ben, 'max'], ['atlas']);
    const [entry] = await entries(`user=${encodeURIComponent(ben)}&action=user.workspaces.assigned`);
    await rename(ben, `${ben}-2`);
    await rename('max', ben);
    const undo = (query = '') =>
      send('POST', `/api/journal/${entry?.id}/undo${query}`, {
        body: {},
        headers: { prefer: 'return=representation' },
      });
    const users = [
      { id: `${ben}-2`, workspaces: ['atlas'], groups: [], type: { before: 'member', after: 'guest' } },
      { id: ben, workspaces: ['atlas'], groups: [] },
    ];
    const undone = { status: 200, body: { result: { users: expect.arrayContaining(users) as object[] } } };
    expect(await undo('?dryRun=true')).toMatchObject(undone);
    await assign([ben], ['borealis']);
    expect(await undo()).toMatchObject(undone);
    expect((await service.directory.state()).workspaces).toEqual([`${ben} in borealis`]);
    expect(await undo()).toMatchObject({ body: { result: { users: [] } } });
  });

  it.each([
    ['deleted', () => send('DELETE', at(`${ben}-2`))],
    ['changed', () => assign([`${ben}-2`], ['atlas'])],
  ])('is not undone for a user who was %s since, nor for somebody with an id of that user', async (_, change) => {
    await assign([ben], ['atlas']);
    const [entry] = await entries(`user=${encodeURIComponent(ben)}&action=user.workspaces.assigned`);
    await rename(ben, `${ben}-2`);
    await send('POST', '/api/users/workspace-unassign', { body: { userIds: [`${ben}-2`], workspaces: ['atlas'] } });
    await change();
    await send('POST', '/api/users', { body: { id: ben, workspaces: ['atlas'] } });
    const state = await service.directory.state();
    expect(await statusOf(send('POST', `/api/journal/${entry?.id}/undo`, { body: {} }))).toBe(200);
    expect(await service.directory.state()).toEqual(state);
  });

  it('is erased under all ids of the user, and nothing of others under these ids', async () => {
    await assign([ben, 'max'], ['atlas'], 'a private matter');
    await rename(ben, `${ben}-2`, { body: { id: `${ben}-2`, reason: 'a private matter' } });
    await send('POST', '/api/users', { body: { id: ben, displayName: 'Another' } });
    expect(await statusOf(send('DELETE', `${at(`${ben}-2`)}?erase=true`))).toBe(204);
    expect(JSON.stringify(await entries(''))).not.toContain('private');
    expect(JSON.stringify(await entries(`user=${ben}-2`))).not.toMatch(/ben\d+@example|"Ben"/);
    expect(JSON.stringify(await entries(`user=${encodeURIComponent(ben)}`))).toContain('Another');
    expect(await verifyJournal(service.dataSource)).toMatchObject({ broken: undefined });
  });

  it('is not erased by an id that the user has left', async () => {
    await rename(ben, `${ben}-2`);
    expect(await statusOf(send('DELETE', `${at(ben)}?erase=true`))).toBe(404);
    expect(JSON.stringify(await entries(`user=${ben}-2`))).toContain('"Ben"');
  });
});
