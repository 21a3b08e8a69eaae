import { LIMITS } from '../../src/contract/limits';
import { useTestService } from '../support/test-service';
import { call } from '../support/record-calls';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const service = useTestService();
let rows: string[];

beforeAll(async () => {
  await writeSmallDirectory(service);
  rows = await everyRow(service);
});
/** Nothing in here is right. */
afterEach(async () => expect(await everyRow(service)).toEqual(rows));

async function answer(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<string> {
  const { status, body: said } = await call(service, method, path, { body, headers });
  const { message } = (said ?? {}) as { message?: string };
  return `${status} ${message}`;
}

const MALFORMED = '400 This request could not be read. Please check its format and try again.';
const invalid = (field: string) => `400 Please give a valid value for ${field}.`;
const readOnly = (field: string) => `400 ${field} cannot be changed here.`;

const KINDS = ['users', 'workspaces', 'groups', 'permissions'];

describe('an id in a path', () => {
  const ids = [
    'none',
    'a%2Fb',
    'a%20b',
    '%25',
    '%25zz',
    'x'.repeat(5_000),
    '%00',
    'a%00b',
    '__proto__',
    'constructor',
    '%F0%9F%98%80'.repeat(256),
    "'%20OR%20''='",
  ];

  it.each(KINDS.flatMap((kind) => ids.map((id) => [kind, id] as const)))(
    '/api/%s/%.30s is unknown',
    async (kind, id) => {
      const path = `/api/${kind}/${id}`;
      const unknown = `404 There is no such ${kind.slice(0, -1)}.`;
      expect(await answer('GET', path)).toBe(unknown);
      expect(await answer('PATCH', path, {})).toBe(unknown);
      expect(await answer('DELETE', path)).toBe(unknown);
    },
  );

  it.each(KINDS)('/api/%s/none is unknown with If-Match, and after a read-only field', async (kind) => {
    const path = `/api/${kind}/none`;
    expect(await answer('PATCH', path, {}, { 'if-match': '*' })).toBe(`404 There is no such ${kind.slice(0, -1)}.`);
    expect(await answer('PATCH', path, { createdAt: 1 })).toBe(readOnly('createdAt'));
  });

  it.each(ids)('/api/users/%.30s has no memberships and no permissions', async (id) => {
    for (const part of ['memberships', 'permissions'])
      expect(await answer('GET', `/api/users/${id}/${part}`)).toBe('404 There is no such user.');
  });

  it.each(KINDS.flatMap((kind) => ['%', '%zz', 'a%', '%FF', '%C0%80'].map((id) => [kind, id] as const)))(
    '/api/%s/%s cannot be read',
    async (kind, id) => {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
        expect(await answer(method, `/api/${kind}/${id}`, body)).toBe(MALFORMED);
    },
  );

  it.each(['workspace-assign', 'workspace-unassign', 'manage-status', 'status-assign', 'status-tokens'])(
    '/api/users/%s is an operation',
    async (name) => {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const)
        expect(await answer(method, `/api/users/${name}`, body)).toMatch(/^405 /);
    },
  );
});

describe('a body that is no object', () => {
  const bodies = ['[]', '[{"name":"x"}]', 'null', '"text"', '7', 'true', ''];
  const paths = [
    ...KINDS.map((kind) => ['POST', `/api/${kind}`]),
    ...['users/ben', 'workspaces/atlas', 'groups/atlas-managers', 'permissions/read'].map((record) => [
      'PATCH',
      `/api/${record}`,
    ]),
  ];

  it.each(paths.flatMap(([method = '', path = '']) => bodies.map((body) => [method, path, body] as const)))(
    '%s %s refuses %s',
    async (method, path, body) => {
      const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : undefined;
      expect(await answer(method, path, body, headers)).toBe(MALFORMED);
    },
  );

  it('is refused before it is asked which record', async () => {
    expect(await answer('PATCH', '/api/users/none', [])).toBe(MALFORMED);
    expect(await answer('PATCH', '/api/users/none', '{')).toMatch(/^400 /);
  });
});

describe('a field of a wrong shape', () => {
  const long = 'ä'.repeat(256);
  const noName = ['', 7, true, {}, [], ['x'], long, 'a\0b', '\ud800', '😀'.repeat(256)];
  const noEmail = [
    ...[
      '',
      'a@',
      '@a',
      'ab',
      'abc',
      '@',
      7,
      {},
      [],
      'a\n@b',
      'a@b\0',
      `a@${'b'.repeat(319)}`,
      `é@${'e\u0301'.repeat(319)}`,
    ],
    ...['a@@b', 'a@b@c', 'a＠b', 'mailto:a@b', 'MailTo:a@b', 'Ada <ada@b>', ' a@b', 'a@b ', 'a@\tb', 'a@b\u2028'],
    ...['\u00a0', '\u00ad', '\u200b', '\u200d', '\u2060', '\u3000', '\ufeff', '\u0085', '\u{e0001}'].map(
      (mark) => `a${mark}@b`,
    ),
  ];
  const noList = [
    'x',
    {},
    7,
    true,
    [7],
    [null],
    [['read']],
    [{}],
    [''],
    ['a\0b'],
    ['\ud800'],
    ['x'.repeat(256)],
    Array.from({ length: LIMITS.idsInRecord + 1 }, () => 'read'),
  ];
  const noId = ['', 7, {}, [], 'x'.repeat(256), 'a\0b', '\udfff', '😀'.repeat(256)];
  const invisible = [
    '\t',
    '\n',
    ' ',
    '\u0085',
    '\u00a0',
    '\u00ad',
    '\u1680',
    '\u2003',
    '\u2028',
    '\u2029',
    '\u202f',
    '\u205f',
  ];
  invisible.push('\u3000', ...'\u200b\u200c\u200d\u200e\u200f', '\u2060', '\ufeff');
  const noNewId = [...noId, '.', '..', ...invisible, ...invisible.flatMap((mark) => [`ben${mark}`, `${mark}ben`])];
  const operations = ['workspace-assign', 'workspace-unassign', 'manage-status', 'status-assign', 'status-tokens'];
  const noType = ['', 'owner', 'Member', 7, null, [], ['member'], '__proto__', 'toString'];

  const cases: [string, string, string, object, unknown[]][] = [
    ['POST', '/api/users', 'id', {}, [...noNewId, ...operations]],
    ['POST', '/api/users/ben/rename', 'id', {}, [...noNewId, ...operations]],
    ['POST', '/api/users', 'email', {}, noEmail],
    ['POST', '/api/users', 'displayName', {}, noName],
    ['POST', '/api/users', 'status', {}, ['', 'Active', 7, {}, ['active'], 'constructor']],
    [
      'POST',
      '/api/users',
      'permissions',
      {},
      [...noList, ['read', 'unknown'], Array.from({ length: 10_000 }, (_, n) => `${n}`)],
    ],
    ['POST', '/api/users', 'workspaces', {}, [...noList, ['nowhere']]],
    ['POST', '/api/users', 'groups', { workspaces: ['atlas'] }, [...noList, ['nobody'], ['borealis-editors']]],
    ['POST', '/api/users', 'groups', {}, [['atlas-managers']]],
    ['PATCH', '/api/users/ben', 'email', {}, noEmail],
    ['PATCH', '/api/users/ben', 'displayName', {}, noName],
    ['PATCH', '/api/users/ben', 'permissions', {}, [...noList, ['unknown']]],
    ['POST', '/api/workspaces', 'id', { name: 'x' }, noNewId],
    ['POST', '/api/workspaces', 'name', {}, [...noName, null, undefined]],
    ['POST', '/api/workspaces', 'permissions', { name: 'x' }, [...noList, ['unknown']]],
    ['PATCH', '/api/workspaces/atlas', 'name', {}, [...noName, null]],
    ['PATCH', '/api/workspaces/atlas', 'permissions', {}, [...noList, ['unknown']]],
    ['POST', '/api/groups', 'id', { name: 'x', workspace: 'atlas' }, noNewId],
    ['POST', '/api/groups', 'name', { workspace: 'atlas' }, [...noName, null, undefined]],
    ['POST', '/api/groups', 'workspace', { name: 'x' }, [...noId, null, undefined, 'nowhere']],
    ['PATCH', '/api/groups/atlas-managers', 'name', {}, [...noName, null]],
    ['PATCH', '/api/groups/atlas-managers', 'permissions', {}, [...noList, ['unknown']]],
    ['POST', '/api/permissions', 'id', { grants: 'member' }, noNewId],
    ['POST', '/api/permissions', 'description', { grants: 'member' }, [7, {}, [], 'ä'.repeat(1_001), 'a\0', '\ud800']],
    ['POST', '/api/permissions', 'grants', {}, [...noType, undefined]],
    ['PATCH', '/api/permissions/read', 'description', {}, [7, {}, [], '😀'.repeat(1_001)]],
    ['PATCH', '/api/permissions/read', 'grants', {}, noType],
  ];

  it.each(cases)('%s %s refuses each wrong value of %s', async (method, path, field, others, values) => {
    for (const value of values) expect(await answer(method, path, { ...others, [field]: value })).toBe(invalid(field));
  });

  it('is named by its place', async () => {
    const headers = { accept: 'application/problem+json' };
    const { body } = await call(service, 'POST', '/api/users', { body: { permissions: ['read', 7, ''] }, headers });
    expect(body).toMatchObject({
      code: 'field.invalid',
      errors: [{ pointer: '/permissions/1' }, { pointer: '/permissions/2', id: '' }],
    });
  });
});

describe('a field that is read-only', () => {
  const everywhere = ['type', 'createdAt', 'updatedAt'];
  const fixed = [...everywhere, 'status', 'id', 'workspaces', 'groups'];
  const cases: [string, string, string[]][] = [
    ['POST', '/api/users', everywhere],
    ['POST', '/api/workspaces', [...everywhere, 'status']],
    ['POST', '/api/groups', [...everywhere, 'status']],
    ['POST', '/api/permissions', [...everywhere, 'status']],
    ['PATCH', '/api/users/ben', fixed],
    ['PATCH', '/api/workspaces/atlas', fixed],
    ['PATCH', '/api/groups/atlas-managers', [...fixed, 'workspace']],
    ['PATCH', '/api/permissions/read', fixed],
  ];

  it.each(cases)('%s %s refuses it with any value, before all other errors', async (method, path, fields) => {
    for (const field of fields)
      for (const value of [null, 'member'])
        expect(await answer(method, path, { name: '', email: '', [field]: value })).toBe(readOnly(field));
  });
});

describe('If-Match', () => {
  it('is judged after the body and the record, and before ids in the body', async () => {
    const headers = { 'if-match': '"another"' };
    expect(await answer('PATCH', '/api/users/ben', { displayName: '' }, headers)).toBe(invalid('displayName'));
    expect(await answer('PATCH', '/api/users/none', {}, headers)).toMatch(/^404 /);
    expect(await answer('PATCH', '/api/users/ben', { permissions: ['unknown'] }, headers)).toMatch(/^412 /);
    expect(await answer('PATCH', '/api/users/ben', { permissions: ['unknown'] })).toBe(invalid('permissions'));
  });
});

it('does not read the body of a refused caller', async () => {
  for (const [caller, status] of [
    ['ben', 403],
    ['cyd', 401],
    ['nobody', 401],
  ] as const)
    for (const [method, path] of [
      ['POST', '/api/users'],
      ['PATCH', '/api/users/none'],
      ['DELETE', '/api/users/none'],
      ['GET', '/api/users/none/permissions'],
    ] as const)
      expect((await call(service, method, path, { caller, body: method === 'GET' ? undefined : '{' })).status).toBe(
        status,
      );
});
