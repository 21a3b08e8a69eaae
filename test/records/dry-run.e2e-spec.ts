import { LIMITS } from '../../src/contract/limits';
import { UserImpact } from '../../src/users/user-type/user-impact';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { ask } from '../support/ask';
import { startTestService, useTestService } from '../support/test-service';

const service = useTestService();
const DONE = 'Nothing was changed: this was a dry run.';
const TIME = expect.stringMatching(/^\d{4}-/) as string;

beforeAll(async () => {
  const { directory } = service;
  await directory.permission('edit', 'member');
  await directory.permission('manage', 'manager');
  await directory.permission('administer', 'administrator');
  await directory.workspace('atlas', ['manage']);
  await directory.group('atlas-editors', 'atlas', ['edit']);
  await directory.workspace('empty');
  await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
  await directory.user('lone');
  for (let n = 0; n < 12; n++) {
    const id = `m${n}`;
    await directory.user(id, {
      type: 'manager',
      status: n % 2 ? 'active' : 'inactive',
      permissions: n > 10 ? ['edit'] : [],
    });
    await directory.member(id, 'atlas', n % 3 === 0 ? ['atlas-editors'] : []);
  }
});

function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return ask(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function resultOf(method: string, path: string, body?: object): Promise<unknown> {
  const { status, text } = await call(method, path, body);
  const { result, ...answer } = JSON.parse(text) as { result: unknown };
  expect([status, answer]).toEqual([200, { status: 200, message: DONE }]);
  return result;
}

const NOBODY = { affected: 0, types: [] };

describe('?dryRun=true', () => {
  it('of a deletion counts all who leave, the inactive as well, and names the first ten of each kind by id', async () => {
    expect(await resultOf('DELETE', '/api/workspaces/atlas?dryRun=true')).toEqual({
      record: null,
      users: {
        affected: 12,
        types: [
          {
            before: 'manager',
            after: 'guest',
            count: 11,
            first: ['m0', 'm1', 'm10', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'],
          },
          { before: 'manager', after: 'member', count: 1, first: ['m11'] },
        ],
      },
      connections: [],
    });
    expect(await resultOf('DELETE', '/api/groups/atlas-editors?dryRun=true')).toEqual({
      record: null,
      users: { affected: 4, types: [] },
    });
    expect(await resultOf('DELETE', '/api/workspaces/empty?dryRun=true')).toEqual({
      record: null,
      users: NOBODY,
      connections: [],
    });
    expect(await resultOf('DELETE', '/api/permissions/edit?dryRun=true')).toEqual({
      record: null,
      users: { affected: 5, types: [] },
    });
  });

  it('of the deletion of a user counts the user, if there is anything to lose', async () => {
    expect(await resultOf('DELETE', '/api/users/m3?dryRun=true')).toEqual({
      record: null,
      users: { affected: 1, types: [] },
    });
    expect(await resultOf('DELETE', '/api/users/lone?dryRun=true')).toEqual({ record: null, users: NOBODY });
    expect(await resultOf('DELETE', '/api/users/lone?dryRun=true&erase=false')).toEqual({
      record: null,
      users: NOBODY,
    });
  });

  it('of a change shows the record as it would be', async () => {
    expect(
      await resultOf('PATCH', '/api/users/m1?dryRun=true', {
        email: 'M1@example.com',
        permissions: ['administer', 'edit'],
      }),
    ).toEqual({
      record: {
        id: 'm1',
        email: 'M1@example.com',
        displayName: null,
        type: 'administrator',
        status: 'active',
        activeUntil: null,
        createdAt: TIME,
        updatedAt: TIME,
        permissions: ['administer', 'edit'],
      },
      users: { affected: 1, types: [{ before: 'manager', after: 'administrator', count: 1, first: ['m1'] }] },
    });
  });

  it.each([
    ['users/m1', { email: 'x@example.com' }, NOBODY],
    ['users/m1', { displayName: 'M' }, NOBODY],
    ['users/m1', {}, NOBODY],
    ['users/m1', { permissions: ['manage'] }, NOBODY],
    ['users/m1', { permissions: ['edit'] }, { affected: 1, types: [] }],
    ['workspaces/atlas', { name: 'A' }, NOBODY],
    ['workspaces/atlas', { permissions: ['manage', 'edit'] }, { affected: 7, types: [] }],
    ['workspaces/empty', { permissions: ['manage'] }, NOBODY],
    ['groups/atlas-editors', { permissions: ['edit', 'manage'] }, NOBODY],
    ['permissions/edit', { description: 'Edits' }, NOBODY],
    [
      'permissions/manage',
      { grants: 'guest' },
      {
        affected: 12,
        types: [
          { before: 'manager', after: 'guest', count: 7, first: ['m1', 'm10', 'm2', 'm4', 'm5', 'm7', 'm8'] },
          { before: 'manager', after: 'member', count: 5, first: ['m0', 'm11', 'm3', 'm6', 'm9'] },
        ],
      },
    ],
  ])('of a PATCH of %s by %j affects %j', async (path, patch, users) => {
    expect(await resultOf('PATCH', `/api/${path}?dryRun=true`, patch)).toMatchObject({ users });
  });

  it('refuses what the change would refuse', async () => {
    const last = { status: 409, message: 'At least one active administrator must remain.' };
    for (const [method, path, body] of [
      ['DELETE', 'users/ada', undefined],
      ['PATCH', 'users/ada', { permissions: [] }],
      ['DELETE', 'permissions/administer', undefined],
      ['PATCH', 'permissions/administer', { grants: 'manager' }],
    ] as const) {
      const { status, text } = await call(method, `/api/${path}?dryRun=true`, body);
      expect([status, JSON.parse(text)]).toEqual([409, last]);
    }
    for (const kind of ['users', 'workspaces', 'groups', 'permissions']) {
      expect((await call('DELETE', `/api/${kind}/nobody?dryRun=true`)).status).toBe(404);
      expect((await call('PATCH', `/api/${kind}/nobody?dryRun=true`, {})).status).toBe(404);
    }
    expect((await call('PATCH', '/api/users/m1?dryRun=true', { permissions: ['unknown'] })).status).toBe(400);
    expect((await call('PATCH', '/api/users/m1?dryRun=true', { type: 'guest' })).status).toBe(400);
    expect((await call('DELETE', '/api/users/m1?dryRun=true', undefined, { 'if-match': '"x"' })).status).toBe(412);
    expect((await call('PATCH', '/api/users/m1?dryRun=true', {}, { 'if-none-match': '*' })).status).toBe(412);
  });

  it.each([
    ['DELETE', 'users/m1?dryRun=yes', 'dryRun'],
    ['DELETE', 'users/m1?dryRun=', 'dryRun'],
    ['PATCH', 'workspaces/atlas?dryRun=true&dryRun=true', 'dryRun'],
    ['DELETE', 'users/m1?dryRun=true&erase=true', 'erase'],
    ['DELETE', 'users/gone?dryRun=true&erase=former', 'erase'],
  ])('%s %s is refused', async (method, path, name) => {
    const { status, text } = await call(method, `/api/${path}`, method === 'PATCH' ? {} : undefined);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { status: 400, message: `Please give a valid value for the query parameter ${name}.` },
    ]);
  });

  it('is answered in the language of the caller, without the headers of a record', async () => {
    const headers = { 'accept-language': 'de', prefer: 'handling=strict, return=representation' };
    const answer = await call('PATCH', '/api/users/m1?dryRun=true', { displayName: 'M' }, headers);
    expect(answer.headers.get('content-language')).toBe('de');
    expect(answer.headers.get('vary')).toBe('Accept-Language, Prefer');
    expect(answer.headers.get('preference-applied')).toBe('handling=strict');
    expect(answer.headers.get('etag')).toBeNull();
    expect((JSON.parse(answer.text) as { message: string }).message).not.toBe(DONE);
    expect((await call('DELETE', '/api/users/m1?dryRun=false', undefined, { 'if-match': '"x"' })).status).toBe(412);
  });

  it('counts nobody whose membership has ended, even if nothing has carried out the end', async () => {
    const { directory, dataSource } = service;
    await directory.workspace('past', ['manage']);
    await directory.group('past-editors', 'past', ['edit']);
    for (const id of ['left', 'stays']) {
      await directory.user(id, { type: 'manager' });
      await directory.member(id, 'past', ['past-editors']);
    }
    for (const place of ['workspace', 'group'])
      await dataSource.query(
        `UPDATE ${place}_memberships SET ends_at = now() - interval '1 second'
         WHERE user_key = (SELECT key FROM users WHERE id = 'left')`,
      );
    const users = { affected: 1, types: [{ before: 'manager', after: 'guest', count: 1, first: ['stays'] }] };
    const retyped = { affected: 1, types: [{ before: 'manager', after: 'member', count: 1, first: ['stays'] }] };
    for (const [method, path, body, expected] of [
      ['DELETE', 'workspaces/past', undefined, users],
      ['DELETE', 'groups/past-editors', undefined, { affected: 1, types: [] }],
      ['PATCH', 'workspaces/past', { permissions: [] }, retyped],
      ['PATCH', 'groups/past-editors', { permissions: ['manage'] }, { affected: 1, types: [] }],
      ['DELETE', 'users/left', undefined, NOBODY],
    ] as const)
      expect([path, await resultOf(method, `/api/${path}?dryRun=true`, body)]).toMatchObject([
        path,
        { users: expected },
      ]);
    await call('DELETE', '/api/workspaces/past');
    await dataSource.query(`DELETE FROM users WHERE id IN ('left', 'stays')`);
  });

  it('tells of 100,000 users, and of no more', () => {
    const impact = new UserImpact();
    const part = (number: number) => Array.from({ length: 10_000 }, (_, index) => `u${number}-${index}`);
    for (let number = 1; number <= 10; number++) impact.add([], part(number));
    expect(impact.result).toEqual({ affected: LIMITS.representedMemberships, types: [] });
    const retyped = { userId: 'ben', status: 'active', before: 'guest', after: 'member' } as const;
    expect(() => impact.add([retyped])).toThrow(
      expect.objectContaining({ code: 'request.too_large_to_represent', status: 400 }),
    );
  });
});

it('derives types by the rule in force', async () => {
  class StaffRule extends UserTypeRule {
    override readonly query = `SELECT key, (CASE WHEN email LIKE '%@example.com' THEN 'manager' ELSE 'guest' END)::user_type AS type
      FROM users WHERE key = ANY ($1)`;
  }
  const own = await startTestService({ userTypeRule: StaffRule });
  try {
    await own.directory.user('ben');
    const headers = { authorization: `Bearer ${own.serviceToken()}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ email: 'ben@example.com' });
    const { text } = await ask(`${own.url}/api/users/ben?dryRun=true`, { method: 'PATCH', headers, body });
    expect(JSON.parse(text)).toMatchObject({
      result: {
        record: { type: 'manager' },
        users: { affected: 1, types: [{ before: 'guest', after: 'manager', count: 1, first: ['ben'] }] },
      },
    });
  } finally {
    await own.close();
  }
});
