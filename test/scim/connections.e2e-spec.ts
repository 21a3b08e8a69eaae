import { createHash } from 'node:crypto';
import type { ScimConnectionDto, ScimConnectionPageDto } from '../../src/plugins/scim/dto/scim-connection.dto';
import { ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
const UNKNOWN = '{"status":404,"message":"There is no such connection."}';

describe('a connection', () => {
  it('is made, read, changed and deleted, and the journal records each change without the token', async () => {
    const { token, ...made } = await api.connect({ workspaces: ['borealis', 'borealis'] });
    expect(token).toMatch(/^scim_[\w-]{43}$/);
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      name: 'Okta',
      workspace: 'atlas',
      workspaces: ['borealis'],
      idFrom: 'externalId',
      mayGrantAdministrator: false,
      createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
      lastUsedAt: null,
    });
    const path = `/scim-connections/${made.id}`;
    expect(await api.done('GET', path)).toEqual(made);

    const patch = { name: 'Entra ID', workspace: 'borealis', workspaces: ['atlas'], mayGrantAdministrator: true };
    const changed = await api.done<ScimConnectionDto>('PATCH', path, patch);
    expect(changed).toEqual({ ...made, ...patch });
    expect(await api.done('PATCH', path, {})).toEqual(changed);
    const cleared = await api.done('PATCH', path, { workspaces: null, mayGrantAdministrator: null });
    expect(cleared).toEqual({ ...changed, workspaces: [], mayGrantAdministrator: false });
    expect(await api.call('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect(await api.call('GET', path)).toMatchObject({ status: 404, text: UNKNOWN });

    const facts = ({ id, name, workspace, workspaces, idFrom, mayGrantAdministrator }: ScimConnectionDto) => ({
      connection: id,
      ...{ name, workspace, workspaces, idFrom, mayGrantAdministrator },
    });
    const [before, after] = [facts(made), facts(changed)];
    const last = { ...after, workspaces: [], mayGrantAdministrator: false };
    const entries = await api.newestEntries(4);
    expect(entries.map(({ action, actor, before, after }) => [action, actor.id, before, after])).toEqual([
      ['scim_connection.created', 'ada', null, before],
      ['scim_connection.updated', 'ada', before, after],
      ['scim_connection.updated', 'ada', after, last],
      ['scim_connection.deleted', 'ada', last, null],
    ]);
    const rows: { line: string }[] = await api.service.dataSource.query(
      `SELECT change::text AS line FROM journal_changes AS change UNION ALL SELECT c::text FROM scim_connections AS c`,
    );
    expect(rows.filter(({ line }) => line.includes(token.slice(5)))).toEqual([]);
  });

  it('is told by the dry run of the deletion of its workspace, and by no other', async () => {
    const okta = await api.connect();
    const entra = await api.connect({ name: 'Entra ID' });
    await api.connect({ name: 'Other', workspace: 'borealis', workspaces: ['atlas'] });
    const dryRun = async (path: string) => (await api.done<{ result: object }>('DELETE', `${path}?dryRun=true`)).result;
    expect(await dryRun('/workspaces/atlas')).toEqual({
      record: null,
      users: expect.any(Object),
      connections: [
        { id: okta.id, name: 'Okta' },
        { id: entra.id, name: 'Entra ID' },
      ],
    });
    expect(Object.keys(await dryRun('/groups/atlas-managers'))).toEqual(['record', 'users']);
    await api.done('DELETE', `/scim-connections/${okta.id}`);
    await api.done('DELETE', `/scim-connections/${entra.id}`);
    expect(await dryRun('/workspaces/atlas')).toMatchObject({ connections: [] });
  });

  it('ends with its workspace, and forgets a further one that is deleted', async () => {
    const [one, two] = [await api.connect(), await api.connect({ workspace: 'borealis', workspaces: ['atlas'] })];
    await api.done('DELETE', '/workspaces/atlas');
    expect((await api.call('GET', `/scim-connections/${one.id}`)).text).toBe(UNKNOWN);
    expect(await api.done('GET', `/scim-connections/${two.id}`)).toMatchObject({
      workspace: 'borealis',
      workspaces: [],
    });
  });

  it('is listed, oldest first and in pages', async () => {
    const made: string[] = [];
    for (const name of ['one', 'two', 'three']) made.push((await api.connect({ name })).id);
    const first = await api.done<ScimConnectionPageDto>('GET', '/scim-connections?limit=2');
    const second = await api.done<ScimConnectionPageDto>('GET', `/scim-connections?limit=2&cursor=${first.next}`);
    expect([first, second].map(({ connections }) => connections.map(({ id }) => id))).toEqual([
      made.slice(0, 2),
      made.slice(2),
    ]);
    expect(second.next).toBeNull();
    expect(JSON.stringify(first)).not.toContain('oken');
  });

  it.each([
    [{}, 'name'],
    [{ name: '', workspace: 'atlas' }, 'name'],
    [{ name: 'x'.repeat(256), workspace: 'atlas' }, 'name'],
    [{ name: 'Okta' }, 'workspace'],
    [{ name: 'Okta', workspace: 'nowhere' }, 'workspace'],
    [{ name: 'Okta', workspace: 'atlas', workspaces: 'borealis' }, 'workspaces'],
    [{ name: 'Okta', workspace: 'atlas', workspaces: ['nowhere'] }, 'workspaces'],
    [{ name: 'Okta', workspace: 'atlas', idFrom: 'email' }, 'idFrom'],
    [{ name: 'Okta', workspace: 'atlas', mayGrantAdministrator: 'yes' }, 'mayGrantAdministrator'],
  ])('is not made of %j', async (body, field) => {
    const answer = await api.call('POST', '/scim-connections', body);
    expect([answer.status, answer.text]).toEqual([
      400,
      `{"status":400,"message":"Please give a valid value for ${field}."}`,
    ]);
    expect(await api.done('GET', '/scim-connections')).toEqual({ connections: [], next: null });
  });

  it('keeps where ids come from, and its other wrong changes are refused as well', async () => {
    const { id } = await api.connect();
    for (const [body, message] of [
      [{ idFrom: 'userName' }, 'idFrom cannot be changed here.'],
      [{ name: null }, 'Please give a valid value for name.'],
      [{ workspace: null }, 'Please give a valid value for workspace.'],
      [{ workspace: 'nowhere' }, 'Please give a valid value for workspace.'],
    ] as const) {
      const answer = await api.call('PATCH', `/scim-connections/${id}`, body);
      expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ status: 400, message })]);
    }
  });

  it('has a version, which a change, a new token and a deletion can ask for', async () => {
    const { id } = await api.connect();
    const path = `/scim-connections/${id}`;
    const stale = (await api.call('GET', path)).headers.get('etag');
    await api.done('PATCH', path, { name: 'Entra ID' });
    for (const [method, suffix, body] of [
      ['PATCH', '', { name: 'x' }],
      ['POST', '/token', {}],
      ['DELETE', ''],
    ] as const)
      expect((await api.call(method, path + suffix, body, { 'if-match': stale })).status).toBe(412);
    const fresh = (await api.call('GET', path)).headers.get('etag');
    expect((await api.call('DELETE', path, undefined, { 'if-match': fresh })).status).toBe(204);
  });
});

describe('the token of a connection', () => {
  it('is kept as a hash, of the newest two', async () => {
    const made = await api.connect();
    const path = `/scim-connections/${made.id}/token`;
    const [second, third] = [
      (await api.done<{ token: string }>('POST', path)).token,
      (await api.done<{ token: string }>('POST', path, { overlap: 60 })).token,
    ];
    const [row] = await api.service.dataSource.query(
      `SELECT token_hash, previous_token_hash, round(extract(epoch FROM previous_token_expires_at - now())) BETWEEN 50 AND 60 AS soon
       FROM scim_connections`,
    );
    const hash = (token: string) => createHash('sha256').update(token).digest();
    expect(row).toEqual({ token_hash: hash(third), previous_token_hash: hash(second), soon: true });
    const [entry] = await api.newestEntries(1);
    const facts = { connection: made.id };
    expect(entry).toMatchObject({
      action: 'scim_connection.updated',
      before: facts,
      after: { ...facts, tokenRotated: true },
    });
    for (const overlap of [-1, 86_401, 1.5, '60'])
      expect((await api.call('POST', path, { overlap })).text).toBe(
        '{"status":400,"message":"Please give a valid value for overlap."}',
      );
  });

  it('opens nothing outside of SCIM', async () => {
    const { token } = await api.connect({ mayGrantAdministrator: true });
    for (const [method, path] of [
      ['GET', '/api/me'],
      ['GET', '/api/users'],
      ['GET', '/api/scim-connections'],
      ['POST', '/api/users/workspace-assign'],
      ['POST', '/api/users/manage-status'],
    ] as const)
      expect((await api.send(token, method, path)).status).toBe(401);
    const body = { id: 'ben', token };
    expect((await api.call('POST', '/users/manage-status', body)).status).toBe(401);
  });
});
