import { DataSource } from 'typeorm';
import { StatementLog } from '../database/statement-log';
import { type List, type Provider, type Resource, ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const NOBODY = '8bd8e0e4-0000-0000-0000-000000000000';

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});

const value = (id: string) => ({ value: id });
const patch = (id: string, ...operations: object[]) =>
  okta.call('PATCH', `/Groups/${id}`, { schemas: [PATCH_OP], Operations: operations });
const groupOf = (id: string) => okta.done(`GET`, `/Groups/${id}`);
const membersOf = async (id: string): Promise<unknown[]> =>
  ((await groupOf(id)).members as { value: string }[]).map((member) => member.value);
const create = (displayName: string, ...members: string[]): Promise<Resource> =>
  okta.done('POST', '/Groups', { schemas: [GROUP], displayName, members: members.map(value) });
const list = (query: Record<string, string>): Promise<List> =>
  okta.done('GET', `/Groups?${new URLSearchParams(query).toString()}`);
const placesOf = async (id: string): Promise<string[]> => {
  const { memberships } = await api.done<{ memberships: { workspace: { id: string }; groups: { id: string }[] }[] }>(
    'GET',
    `/users/${id}/memberships`,
  );
  return memberships.map(({ workspace, groups }) => [workspace.id, ...groups.map(({ id }) => id)].join(' '));
};
const typeOf = async (id: string): Promise<string> => (await api.done<{ type: string }>('GET', `/users/${id}`)).type;
async function users(...ids: string[]): Promise<void> {
  for (const id of ids) await okta.create({ userName: id, externalId: id, displayName: `The ${id}` });
}

describe('a group of SCIM', () => {
  it('is answered by a change as it is read afterwards', async () => {
    await users('ann');
    const { id } = await create('Engineers');
    const [ann, name, other] = [
      { op: 'add', path: 'members', value: [value('ann')] },
      { op: 'replace', path: 'displayName', value: 'Makers' },
      { op: 'replace', value: { externalId: 'e1' } },
    ];
    for (const operations of [[ann], [name], [other], [{ op: 'remove', path: 'externalId' }, name, ann]]) {
      const { status, headers } = await patch(id, ...operations);
      expect([status, headers.get('etag')]).toEqual([204, (await groupOf(id)).meta.version]);
    }
    const { text } = await okta.call('PUT', `/Groups/${id}`, { displayName: 'Engineers', externalId: 'e2' });
    expect(JSON.parse(text)).toEqual(await groupOf(id));
    // As by a change that has begun later than this one, and ended earlier.
    await api.service.dataSource.query(`UPDATE scim_groups SET updated_at = now() + interval '1 minute'`);
    const { headers } = await patch(id, name);
    expect(headers.get('etag')).toBe((await groupOf(id)).meta.version);
  });

  it('is told to be unknown before a PATCH of it is told to be malformed, and not to have changed afterwards', async () => {
    const { id } = await create('Engineers');
    const malformed = { Operations: [{ op: 'remove', path: 'displayName' }] };
    expect(await okta.refusal('PATCH', `/Groups/${NOBODY}`, malformed)).toBe('404');
    expect(await okta.refusal('PATCH', `/Groups/${id}`, malformed, { 'if-match': '"old"' })).toBe('400 mutability');
    const renaming = { Operations: [{ op: 'replace', path: 'displayName', value: 'Makers' }] };
    expect(await okta.refusal('PATCH', `/Groups/${id}`, renaming, { 'if-match': '"old"' })).toBe('412');
  });

  it('takes members whatever its name is', async () => {
    await users('ann');
    const { id } = await api.done<{ id: string }>('POST', '/groups', { name: '\u00a0', workspace: 'atlas' });
    expect((await patch(id, { op: 'add', path: 'members', value: [value('ann')] })).status).toBe(204);
    expect(await membersOf(id)).toEqual(['ann']);
  });

  it('is made with members, read, found, renamed and deleted', async () => {
    await users('ann', 'bob');
    const sent = {
      schemas: [GROUP],
      displayName: 'Engineers',
      externalId: 'e1',
      members: [value('ann'), value('bob')],
    };
    const answer = await okta.call('POST', '/Groups', sent);
    const made = JSON.parse(answer.text) as Resource;
    const location = `${api.service.url}/scim/v2/Groups/${made.id}`;
    expect([answer.status, answer.headers.get('location'), answer.headers.get('etag')]).toEqual([
      201,
      location,
      made.meta.version,
    ]);
    expect(made).toEqual({
      ...sent,
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      members: ['ann', 'bob'].map((id) => ({
        value: id,
        display: `The ${id}`,
        type: 'User',
        $ref: `${api.service.url}/scim/v2/Users/${id}`,
      })),
      meta: {
        resourceType: 'Group',
        created: expect.any(String),
        lastModified: expect.any(String),
        location,
        version: expect.stringMatching(/^"[\w-]{27}"$/),
      },
    });
    expect(await groupOf(made.id)).toEqual(made);
    expect(await placesOf('ann')).toEqual([`atlas ${made.id}`]);
    // What the workspace permits.
    expect(await typeOf('ann')).toBe('member');

    const { members, ...listed } = made;
    expect(members).toHaveLength(2);
    for (const filter of [
      'displayName eq "ENGINEERS"',
      'externalId eq "e1"',
      `id eq "${made.id}"`,
      'members[value eq "ann"]',
      'members.value eq "bob" and displayName sw "eng"',
      'members[type eq "User" and display co "ann"]',
    ]) {
      expect((await list({ filter })).Resources).toEqual([listed]);
    }
    expect((await list({ filter: 'displayName eq "None"' })).Resources).toEqual([]);
    expect(await okta.done('GET', `/Groups/${made.id}?excludedAttributes=members`)).toEqual(listed);
    expect((await list({ attributes: 'members.value,displayName', filter: `id eq "${made.id}"` })).Resources).toEqual([
      { schemas: [GROUP], id: made.id, displayName: 'Engineers', members: [value('ann'), value('bob')] },
    ]);

    const renamed = await patch(made.id, { op: 'replace', value: { id: made.id, displayName: 'Makers' } });
    expect([renamed.status, renamed.text]).toEqual([204, '']);
    const now = await groupOf(made.id);
    expect(now).toMatchObject({ displayName: 'Makers', externalId: 'e1' });
    expect(renamed.headers.get('etag')).toBe(now.meta.version);
    expect(now.meta.version).not.toBe(made.meta.version);

    const before = { group: made.id, name: 'Engineers' };
    const entries = await api.newestEntries(6);
    expect(entries.map(({ action }) => action)).toEqual([
      'group.created',
      ...['user.workspaces.assigned', 'user.workspaces.assigned', 'user.type.changed', 'user.type.changed'],
      'group.updated',
    ]);
    const actor = { kind: 'connection', id: okta.connection };
    expect(entries.map((entry) => entry.actor)).toEqual(entries.map(() => actor));
    expect(entries[5]).toMatchObject({ workspaces: ['atlas'], before, after: { ...before, name: 'Makers' } });

    expect((await okta.call('DELETE', `/Groups/${made.id}`)).status).toBe(204);
    expect(await okta.refusal('GET', `/Groups/${made.id}`)).toBe('404');
    expect(await okta.refusal('DELETE', `/Groups/${made.id}`)).toBe('404');
    expect([await placesOf('ann'), await typeOf('ann')]).toEqual([[], 'guest']);
  });

  it('takes members as Entra ID and Okta send them', async () => {
    await users('ann', 'bob', 'cat');
    const { id } = await create('Engineers');
    expect((await patch(id, { op: 'Add', path: 'members', value: [value('ann'), value('bob')] })).status).toBe(204);
    expect(await membersOf(id)).toEqual(['ann', 'bob']);
    const again = await patch(
      id,
      { op: 'Add', path: 'members', value: [value('ann')] },
      { op: 'Remove', path: 'members[value eq "cat"]' },
    );
    expect(again.headers.get('etag')).toBe((await groupOf(id)).meta.version);
    await patch(id, { op: 'Remove', path: 'members', value: [value('ann')] });
    expect([await membersOf(id), await placesOf('ann')]).toEqual([['bob'], []]);
    await patch(
      id,
      { op: 'remove', path: 'members[value eq "bob"]' },
      { op: 'remove', path: `members[value eq "${NOBODY}"]` },
    );
    expect(await membersOf(id)).toEqual([]);
    const asked = await okta.call('PATCH', `/Groups/${id}?attributes=members`, {
      Operations: [{ op: 'replace', path: 'members', value: [value('ann'), value('cat')] }],
    });
    expect([asked.status, JSON.parse(asked.text)]).toMatchObject([200, { id, members: [value('ann'), value('cat')] }]);

    const body = { schemas: [GROUP], displayName: 'Engineers' };
    expect(await okta.done('PUT', `/Groups/${id}`, body)).toMatchObject({ members: [] });
    expect(await okta.done('PUT', `/Groups/${id}`, { ...body, members: [value('bob')] })).toMatchObject({
      members: [value('bob')],
    });
    expect(await okta.done('PUT', `/Groups/${id}`, { ...body, members: [] })).toMatchObject({ members: [] });
    expect(await placesOf('cat')).toEqual([]);
  });

  it.each([
    [{ op: 'replace', path: 'members' }, 'invalidValue'],
    [{ op: 'replace', path: 'members', value: null }, 'invalidValue'],
    [{ op: 'replace', path: 'members.value' }, 'invalidValue'],
    [{ op: 'remove', path: 'members.value' }, 'invalidPath'],
  ])('keeps its members where a PATCH does not say whom else it is to have: %j', async (operation, kind) => {
    await users('ann', 'bob');
    const { id } = await create('Engineers', 'ann', 'bob');
    const before = await groupOf(id);
    const patch = { Operations: [{ op: 'replace', path: 'displayName', value: 'Others' }, operation] };
    expect(await okta.refusal('PATCH', `/Groups/${id}`, patch)).toBe(`400 ${kind}`);
    expect(await groupOf(id)).toEqual(before);
  });

  it('is left with its workspace only by those whom the connection had put there, and who are in no other group', async () => {
    await users('ann', 'bob', 'cat');
    await api.done('POST', '/users/workspace-assign', { userIds: ['bob'], workspaces: ['atlas'] });
    const { id } = await create('Engineers', 'ann', 'bob', 'cat');
    await api.done('POST', '/users/workspace-assign', {
      userIds: ['cat'],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
    });
    await patch(id, { op: 'remove', path: 'members' });
    expect([await placesOf('ann'), await placesOf('bob'), await placesOf('cat')]).toEqual([
      [],
      ['atlas'],
      ['atlas atlas-managers'],
    ]);
    expect([await typeOf('ann'), await typeOf('bob'), await typeOf('cat')]).toEqual(['guest', 'member', 'manager']);
  });

  describe('out of which an administrator took a member', () => {
    let id: string;
    const remove = { op: 'remove', path: 'members', value: [value('ann')] };
    const put = { displayName: 'Engineers' };
    beforeEach(async () => {
      await users('ann', 'bob');
      ({ id } = await create('Engineers', 'ann', 'bob'));
      await takeOut(id);
      // The act of the administrator takes what it names.
      expect(await placesOf('ann')).toEqual(['atlas']);
    });
    const takeOut = (group: string) =>
      api.done('POST', '/users/workspace-unassign', { userIds: ['ann'], workspaces: ['atlas'], groups: [group] });
    const give = (user: string, ...groups: string[]) =>
      api.done('POST', '/users/workspace-assign', { userIds: [user], workspaces: ['atlas'], groups });

    it.each<[string, () => Promise<unknown>, boolean]>([
      ['a removal', () => patch(id, remove), true],
      ['a removal by a filter', () => patch(id, { op: 'remove', path: 'members[value eq "ann"]' }), true],
      ['a removal of all', () => patch(id, { op: 'remove', path: 'members' }), false],
      ['a PATCH of all members', () => patch(id, { op: 'replace', path: 'members', value: [value('bob')] }), true],
      ['a PUT', () => okta.done('PUT', `/Groups/${id}`, { ...put, members: [value('bob')] }), true],
      ['a PUT without members', () => okta.done('PUT', `/Groups/${id}`, put), false],
      ['a deletion', () => okta.done('DELETE', `/Groups/${id}`), false],
    ])('is left with its workspace by %s', async (_, act, bobStays) => {
      await act();
      expect([await placesOf('ann'), await placesOf('bob')]).toEqual([[], bobStays ? [`atlas ${id}`] : []]);
      expect([await typeOf('ann'), await typeOf('bob')]).toEqual(['guest', bobStays ? 'member' : 'guest']);
    });

    it('does not change by it, and leaves the workspace to those who are in another group of it', async () => {
      await give('ann', 'atlas-managers');
      const { meta } = await groupOf(id);
      for (const act of [
        () => patch(id, remove),
        () => okta.done('PUT', `/Groups/${id}`, { ...put, members: [value('bob')] }),
      ]) {
        await act();
        expect(await placesOf('ann')).toEqual(['atlas atlas-managers']);
      }
      await takeOut('atlas-managers');
      await patch(id, remove);
      expect(await placesOf('ann')).toEqual([]);
      expect((await groupOf(id)).meta).toEqual(meta);
    });

    it('keeps the workspace for those to whom an administrator gave it', async () => {
      await api.done('POST', '/users/workspace-unassign', { userIds: ['ann'], workspaces: ['atlas'] });
      await give('ann');
      await patch(id, remove);
      await okta.done('PUT', `/Groups/${id}`, put);
      expect(await placesOf('ann')).toEqual(['atlas']);
    });
  });

  it('that an administrator deleted leaves the workspace until the provider takes the user out of another', async () => {
    await users('ann');
    const { id } = await create('Engineers', 'ann');
    const other = await create('Others');
    await api.done('DELETE', `/groups/${id}`);
    expect(await placesOf('ann')).toEqual(['atlas']);
    await patch(other.id, { op: 'remove', path: 'members[value eq "ann"]' });
    expect(await placesOf('ann')).toEqual([]);
  });

  it('made by hand is seen and filled, but not deleted, and its other members are neither shown nor removed', async () => {
    await users('ann');
    await api.done('POST', '/users/workspace-assign', {
      userIds: ['ben'],
      workspaces: ['atlas'],
      groups: ['atlas-managers'],
    });
    await patch(
      'atlas-managers',
      { op: 'replace', path: 'members', value: [value('ann')] },
      { op: 'add', path: 'externalId', value: 'x' },
    );
    expect(await groupOf('atlas-managers')).toMatchObject({
      externalId: 'x',
      displayName: 'atlas-managers',
      members: [value('ann')],
    });
    await patch('atlas-managers', { op: 'replace', path: 'members', value: [] });
    expect([await placesOf('ann'), await placesOf('ben')]).toEqual([[], ['atlas atlas-managers']]);
    expect(await okta.refusal('DELETE', '/Groups/atlas-managers')).toBe('403');
    expect(
      await okta.refusal('PATCH', '/Groups/atlas-managers', {
        Operations: [{ op: 'add', path: 'members', value: [value('ben')] }],
      }),
    ).toBe('400 invalidValue');
    expect(await okta.refusal('GET', '/Groups/borealis-editors')).toBe('404');
    const { Resources, totalResults } = await list({});
    expect([Resources.map(({ id }) => id), totalResults]).toEqual([['atlas-managers'], 1]);

    const { id } = await create('Engineers', 'ann');
    await api.done('POST', '/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'], groups: [id] });
    expect(await okta.refusal('DELETE', `/Groups/${id}`)).toBe('409');
    expect(await membersOf(id)).toEqual(['ann']);
  });

  it('is seen in all workspaces of the connection, in pages', async () => {
    okta = await api.provider({ workspaces: ['borealis'] });
    for (const name of ['one', 'two', 'three']) await create(name);
    const pages = [];
    for (const startIndex of ['1', '3', '5']) {
      const page = await list({ count: '2', startIndex });
      pages.push(page.Resources.map(({ displayName }) => displayName));
    }
    expect(pages).toEqual([['atlas-managers', 'borealis-editors'], ['one', 'two'], ['three']]);
    expect(await list({ startIndex: '5', count: '1' })).toMatchObject({
      totalResults: 5,
      startIndex: 5,
      Resources: [{ displayName: 'three' }],
    });
    expect(await list({ count: '0' })).toMatchObject({ totalResults: 5, Resources: [] });
    await users('ann');
    await patch('borealis-editors', { op: 'add', path: 'members', value: 'ann' });
    expect(await placesOf('ann')).toEqual(['borealis borealis-editors']);
  });

  it('keeps its version for If-Match', async () => {
    await users('ann');
    const { id, meta } = await create('Engineers');
    const add = { Operations: [{ op: 'add', path: 'members', value: 'ann' }] };
    expect(await okta.refusal('PATCH', `/Groups/${id}`, add, { 'if-match': '"other"' })).toBe('412');
    expect((await okta.call('PATCH', `/Groups/${id}`, add, { 'if-match': meta.version })).status).toBe(204);
    expect(await okta.refusal('DELETE', `/Groups/${id}`, undefined, { 'if-match': meta.version })).toBe('412');
    const { version } = (await groupOf(id)).meta;
    expect((await okta.call('GET', `/Groups/${id}`, undefined, { 'if-none-match': version })).status).toBe(304);
  });

  it.each<[title: string, method: string, body: object, refusal: string]>([
    ['without a name', 'POST', { members: [] }, '400 invalidValue'],
    ['with an empty name', 'POST', { displayName: '' }, '400 invalidValue'],
    ['with a name that is none', 'POST', { displayName: true }, '400 invalidValue'],
    ['with a name of blanks', 'POST', { displayName: ' \u00a0\u200b' }, '400 invalidValue'],
    ['with a long id of the provider', 'POST', { displayName: 'X', externalId: 'x'.repeat(321) }, '400 invalidValue'],
    ['with a list as a body', 'POST', [], '400 invalidSyntax'],
    ['with a name that is taken', 'POST', { displayName: 'ATLAS-managers' }, '409 uniqueness'],
    ['with such a name and blanks', 'POST', { displayName: ' atlas-managers\u200b' }, '409 uniqueness'],
    ['with a user whom nobody knows', 'POST', { displayName: 'X', members: [value(NOBODY)] }, '400 invalidValue'],
    ['with a user of nobody', 'POST', { displayName: 'X', members: [value('ben')] }, '400 invalidValue'],
    [
      'with a group in it',
      'POST',
      { displayName: 'X', members: [{ value: 'atlas-managers', type: 'Group' }] },
      '400 invalidValue',
    ],
    ['with an id that cannot be one', 'POST', { displayName: 'X', members: [value('\0')] }, '400 invalidValue'],
    ['without a name', 'PUT', {}, '400 invalidValue'],
    ['onto another', 'PUT', { displayName: 'Atlas-Managers' }, '409 uniqueness'],
    [
      'onto another',
      'PATCH',
      { Operations: [{ op: 'replace', value: { displayName: 'atlas-managers' } }] },
      '409 uniqueness',
    ],
    ['without its name', 'PATCH', { Operations: [{ op: 'remove', path: 'displayName' }] }, '400 mutability'],
    ['by a malformed path', 'PATCH', { Operations: [{ op: 'add', path: 'members[', value: 'x' }] }, '400 invalidPath'],
  ])('%s is refused (%s)', async (_, method, body, refusal) => {
    const { id } = await create('Engineers');
    const before = await groupOf(id);
    expect(await okta.refusal(method, method === 'POST' ? '/Groups' : `/Groups/${id}`, body)).toBe(refusal);
    expect(await groupOf(id)).toEqual(before);
    expect((await list({})).totalResults).toBe(2);
  });

  it.each(['atlas', 'atlas-managers'])('that makes administrators takes a connection that may (%s)', async (holder) => {
    await users('ann');
    const kind = holder === 'atlas' ? 'workspaces' : 'groups';
    await api.done('PATCH', `/${kind}/${holder}`, { permissions: ['administer'] });
    const add = { Operations: [{ op: 'add', path: 'members', value: 'ann' }] };
    const remove = { Operations: [{ op: 'remove', path: 'members' }] };
    expect(await okta.refusal('PATCH', '/Groups/atlas-managers', add)).toBe('403');
    expect([await placesOf('ann'), await typeOf('ann')]).toEqual([[], 'guest']);
    // Nor for one who is an administrator anyway.
    await api.done('PATCH', '/users/ann', { permissions: ['administer'] });
    expect(await okta.refusal('PATCH', '/Groups/atlas-managers', add)).toBe('403');
    await api.done('PATCH', '/users/ann', { permissions: [] });
    const path = `/scim-connections/${okta.connection}`;
    await api.done('PATCH', path, { mayGrantAdministrator: true });
    expect((await okta.call('PATCH', '/Groups/atlas-managers', add)).status).toBe(204);
    expect(await typeOf('ann')).toBe('administrator');
    await api.done('PATCH', path, { mayGrantAdministrator: false });
    expect(await okta.refusal('PATCH', '/Groups/atlas-managers', remove)).toBe('403');
    expect(await typeOf('ann')).toBe('administrator');
  });

  it.each(['atlas', 'atlas-editors'])(
    'that makes readers takes a connection that may make administrators (%s)',
    async (holder) => {
      await users('ann', 'bob');
      const { id } = await create('Auditors');
      const { dataSource, directory } = api.service;
      await directory.permission('users.read', 'guest');
      const [kind, place] = holder === 'atlas' ? ['workspace', 'atlas'] : ['group', id];
      const grant = (table: string, key: string) =>
        dataSource.query(
          `INSERT INTO ${table}_permissions (${table}_key, permission_key)
         SELECT r.key, p.key FROM ${table}s AS r, permissions AS p WHERE r.id = $1 AND p.id = 'users.read'`,
          [key],
        );
      await grant(kind, place);
      const join = (name: string) => patch(id, { op: 'add', path: 'members', value: [value(name)] });
      const { status, text } = await join('ann');
      expect([status, JSON.parse(text)]).toMatchObject([403, { status: '403' }]);
      expect([await membersOf(id), await placesOf('ann')]).toEqual([[], []]);
      // Bob is a reader already.
      await grant('user', 'bob');
      expect((await join('bob')).status).toBe(204);
      expect(
        (
          await okta.call('PATCH', '/Users/bob', {
            schemas: [PATCH_OP],
            Operations: [{ op: 'replace', path: 'displayName', value: 'B' }],
          })
        ).status,
      ).toBe(204);
      expect((await patch(id, { op: 'add', path: 'members', value: [value('ann'), value('bob')] })).status).toBe(403);
      await api.done('PATCH', `/scim-connections/${okta.connection}`, { mayGrantAdministrator: true });
      expect((await join('ann')).status).toBe(204);
    },
  );

  it('never loses the last administrator', async () => {
    okta = await api.provider({ mayGrantAdministrator: true });
    await users('ann');
    await api.done('PATCH', '/groups/atlas-managers', { permissions: ['administer'] });
    await patch('atlas-managers', { op: 'add', path: 'members', value: 'ann' });
    await api.done('POST', '/users/status-assign', { userIds: ['zoe', 'ada'], status: 'inactive' });
    expect(
      await okta.refusal('PATCH', '/Groups/atlas-managers', { Operations: [{ op: 'remove', path: 'members' }] }),
    ).toBe('409');
    expect(await membersOf('atlas-managers')).toEqual(['ann']);
  });

  it('of a connection that has ended is deleted by the one that takes its workspace over, and by no other', async () => {
    const { id } = await create('Engineers');
    const elsewhere = await api.provider({ workspace: 'borealis', workspaces: ['atlas'] });
    const beside = await api.provider();
    for (const other of [elsewhere, beside]) expect(await other.refusal('DELETE', `/Groups/${id}`)).toBe('403');
    await api.done('DELETE', `/scim-connections/${okta.connection}`);
    expect(await elsewhere.refusal('DELETE', `/Groups/${id}`)).toBe('403');
    await api.done('DELETE', `/scim-connections/${beside.connection}`);

    okta = await api.provider();
    expect(await okta.refusal('DELETE', '/Groups/atlas-managers')).toBe('403');
    expect(await okta.done('PUT', `/Groups/${id}`, { displayName: 'Makers' })).toMatchObject({
      id,
      displayName: 'Makers',
    });
    expect((await okta.call('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect(await okta.refusal('GET', `/Groups/${id}`)).toBe('404');
  });

  it('is left with its workspace also by whom a connection had put there that has ended', async () => {
    await users('ann', 'bob');
    const { id } = await create('Engineers', 'ann', 'bob');
    await api.done('DELETE', `/scim-connections/${okta.connection}`);
    okta = await api.provider();
    await users('ann', 'bob');
    await patch(id, { op: 'remove', path: 'members[value eq "ann"]' });
    expect([await placesOf('ann'), await placesOf('bob')]).toEqual([[], [`atlas ${id}`]]);
  });

  it('is cleared by a PUT without members, of those whom the connection knows', async () => {
    await users('ann', 'bob');
    const { id } = await create('Engineers', 'ann', 'bob');
    await api.done('POST', '/users/workspace-assign', { userIds: ['ben'], workspaces: ['atlas'], groups: [id] });
    for (const body of [{}, { members: null }, { Members: [] }]) {
      await patch(id, { op: 'add', path: 'members', value: [value('ann'), value('bob')] });
      const put = { displayName: 'Engineers', externalId: 'e', ...body };
      expect(await okta.done('PUT', `/Groups/${id}`, put)).toMatchObject({ externalId: 'e', members: [] });
      expect([await placesOf('ann'), await placesOf('ben')]).toEqual([[], [`atlas ${id}`]]);
    }
  });

  it.each([[[{}]], [[{ value: null }]], [[null]], [[{ display: 'Ann' }]], [[{ value: 'u' }, {}]], [{}]])(
    'is refused members without a value, and keeps those that it has: %j',
    async (members) => {
      const { id: member } = await okta.create({ userName: 'u', externalId: 'u' });
      const { id } = await create('Crew', member);
      const before = await groupOf(id);
      const body = { displayName: 'Crew', members };
      expect(await okta.refusal('PUT', `/Groups/${id}`, body)).toBe('400 invalidValue');
      expect(await okta.refusal('POST', '/Groups', { ...body, displayName: 'Another' })).toBe('400 invalidValue');
      for (const op of ['add', 'replace', 'remove']) {
        const Operations = [{ op, path: 'members', value: members }];
        expect(await okta.refusal('PATCH', `/Groups/${id}`, { Operations })).toBe('400 invalidValue');
      }
      expect(await groupOf(id)).toEqual(before);
    },
  );

  describe('whose name', () => {
    const named = async (filter: string): Promise<unknown[]> => {
      const { Resources, totalResults } = await list({ filter });
      expect(totalResults).toBe(Resources.length);
      return Resources.map(({ id }) => id);
    };

    it('has blanks at its ends is told, compared and found without them', async () => {
      const { id, displayName } = await create(' Twin\u00a0\u200b');
      expect(displayName).toBe('Twin');
      for (const name of ['Twin', 'twin ', '\tTWIN', '\ufeffTwin'])
        expect(await okta.refusal('POST', '/Groups', { displayName: name })).toBe('409 uniqueness');
      expect(
        await okta.refusal('PATCH', '/Groups/atlas-managers', {
          Operations: [{ op: 'replace', path: 'displayName', value: 'Twin ' }],
        }),
      ).toBe('409 uniqueness');
      await api.done('PATCH', '/groups/atlas-managers', { name: ' Twin by hand ' });
      expect(await groupOf('atlas-managers')).toMatchObject({ displayName: 'Twin by hand' });
      expect(await named('displayName eq "twin BY hand"')).toEqual(['atlas-managers']);
      expect(await named('displayName eq " Twin by hand\u200b"')).toEqual(['atlas-managers']);
      expect(await named('displayName ne " TWIN " and displayName sw "twin"')).toEqual(['atlas-managers']);
      expect(await okta.refusal('POST', '/Groups', { displayName: 'Twin by hand' })).toBe('409 uniqueness');
      // What does not name it leaves it as it is here.
      await okta.done('PUT', '/Groups/atlas-managers', { displayName: 'Twin by hand', externalId: 'x' });
      expect(await api.done('GET', '/groups/atlas-managers')).toMatchObject({ name: ' Twin by hand ' });
      await patch(id, { op: 'replace', path: 'displayName', value: ' Twins ' });
      expect(await api.done('GET', `/groups/${id}`)).toMatchObject({ name: 'Twins' });
    });

    it('is that of another by hand is found once: in the workspace of the connection, else in the first of the others', async () => {
      await api.done('POST', '/workspaces', { id: 'cosmos', name: 'Cosmos' });
      okta = await api.provider({ workspace: 'atlas', workspaces: ['cosmos', 'borealis'] });
      const make = (id: string, workspace: string, name = 'Managers') =>
        api.done('POST', '/groups', { id, name, workspace });
      await make('b', 'borealis');
      await make('b2', 'borealis', 'managers ');
      expect(await named('displayName eq "Managers"')).toEqual(['b']);
      await make('c', 'cosmos');
      expect(await named('displayName eq "MANAGERS"')).toEqual(['c']);
      await make('a', 'atlas', ' MANAGERS');
      for (const filter of ['displayName eq "Managers"', `(${GROUP}:DISPLAYNAME EQ "managers")`])
        expect(await named(filter)).toEqual(['a']);
      // Not alone, it is a filter as any other.
      expect(await named('displayName eq "Managers" and id pr')).toEqual(['b', 'b2', 'c', 'a']);
      expect(await named('displayName sw "Managers"')).toEqual(['b', 'b2', 'c', 'a']);
    });
  });

  it('takes many members at once, however long the ids of the group and its workspace are', async () => {
    const long = '\u0001'.repeat(255);
    const { dataSource } = api.service;
    await dataSource.query(
      `WITH place AS (INSERT INTO workspaces (id, name) VALUES ($1, 'Long') RETURNING key)
       INSERT INTO groups (id, name, workspace_key) SELECT $1, 'Long', key FROM place`,
      [long],
    );
    const entra = await api.provider({ workspace: long });
    await dataSource.query(
      `WITH made AS (INSERT INTO users (id) SELECT 'u' || n FROM generate_series(1, 9000) AS n RETURNING key, id)
       INSERT INTO scim_users (connection_key, user_key, provider_active, id, user_name, resource)
       SELECT c.key, made.key, true, made.id, made.id, '{}' FROM made, scim_connections AS c WHERE c.id = $1`,
      [entra.connection],
    );
    const members = Array.from({ length: 9_000 }, (_, index) => value(`u${index + 1}`));
    for (const op of ['add', 'remove']) {
      const body = { Operations: [{ op, path: 'members', value: members }] };
      expect((await entra.call('PATCH', `/Groups/${encodeURIComponent(long)}`, body)).status).toBe(204);
    }
  });

  it('changes its members by a constant number of statements, and streams what is large', async () => {
    const COUNT = 25_000;
    await api.service.dataSource.query(
      `WITH made AS (INSERT INTO users (id, display_name) SELECT 'u' || n, repeat('x', 100) FROM generate_series(1, $2::int) AS n RETURNING key, id)
       INSERT INTO scim_users (connection_key, user_key, provider_active, id, user_name, resource)
       SELECT c.key, made.key, true, made.id, made.id, '{}' FROM made, scim_connections AS c WHERE c.id = $1`,
      [okta.connection, COUNT],
    );
    await api.service.dataSource.query('ANALYZE users, scim_users');
    const { id } = await create('Engineers');
    const ids = (count: number) => Array.from({ length: count }, (_, index) => value(`u${index + 1}`));
    const log = StatementLog.of(api.service.app.get(DataSource));
    const counts: number[] = [];
    for (const members of [ids(3), ids(9_000)]) {
      log.take();
      expect(
        (
          await patch(
            id,
            { op: 'add', path: 'members', value: members },
            { op: 'remove', path: 'members', value: 'u1' },
          )
        ).status,
      ).toBe(204);
      // Among them are those of the sealer, which works at any time.
      counts.push(log.take().filter((statement) => /scim_|assign_users|FOR NO KEY UPDATE/.test(statement)).length);
    }
    expect(counts[0]).toBe(counts[1]);
    expect((await patch(id, { op: 'add', path: 'members', value: ids(COUNT) })).status).toBe(204);
    const answer = await okta.call('GET', `/Groups/${id}`);
    expect(answer.text.length).toBeGreaterThan(4 * 1024 * 1024);
    const { members } = JSON.parse(answer.text) as { members: { value: string }[] };
    expect(new Set(members.map((member) => member.value)).size).toBe(COUNT);
    expect(members).toHaveLength(COUNT);
    // It does not fit on a page with another, and is on one of its own.
    const others: List[] = [];
    for (const startIndex of ['1', '2']) others.push(await list({ attributes: 'members,displayName', startIndex }));
    expect(
      others.map(({ Resources, itemsPerPage }) => [itemsPerPage, Resources.map((group) => group.displayName)]),
    ).toEqual([
      [1, ['atlas-managers']],
      [1, ['Engineers']],
    ]);
    expect(others[1]?.Resources[0]?.members).toHaveLength(COUNT);
    // The first group of a page always fits.
    const listed = await list({ attributes: 'members', filter: `id eq "${id}"` });
    expect(listed.Resources[0]?.members).toHaveLength(COUNT);
    expect((await okta.call('DELETE', `/Groups/${id}`)).status).toBe(204);
  });
});
