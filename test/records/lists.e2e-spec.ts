import { useTestService } from '../support/test-service';

const service = useTestService();

beforeAll(async () => {
  const { directory } = service;
  await directory.permission('content.edit', 'member');
  await directory.permission('users.administer', 'administrator');
  await directory.workspace('atlas', ['content.edit']);
  await directory.workspace('borealis');
  await directory.group('atlas-editors', 'atlas');
  await directory.user('ada', { type: 'administrator', permissions: ['users.administer'] });
  for (const id of ['ben', 'cyd', 'Dee 100%_\\', 'auth0|5f7c/x']) await directory.user(id);
  await directory.user('eve', { type: 'member', status: 'inactive' });
  await service.dataSource.query(
    `UPDATE users SET email = 'Ben.Smith@Example.com', display_name = 'Bénédicte' WHERE id = 'ben'`,
  );
  for (const [id, workspace] of [
    ['ben', 'atlas'],
    ['cyd', 'atlas'],
    ['cyd', 'borealis'],
  ]) {
    await service.dataSource.query(
      `INSERT INTO workspace_memberships SELECT u.key, w.key FROM users u, workspaces w WHERE u.id = $1 AND w.id = $2`,
      [id, workspace],
    );
  }
  await service.dataSource.query(
    `INSERT INTO group_memberships SELECT u.key, g.workspace_key, g.key FROM users u, groups g WHERE u.id = 'cyd'`,
  );
});

async function get(path: string, headers: Record<string, string> = {}, caller = 'ada') {
  const response = await fetch(`${service.url}${path}`, {
    headers: { authorization: `Bearer ${service.tokenOf(caller)}`, ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as unknown };
}

async function idsOf(path: string): Promise<string[]> {
  const { body } = await get(path);
  const [records] = Object.values(body as Record<string, { id: string }[]>);
  return (records ?? []).map(({ id }) => id);
}

const ALL = ['Dee 100%_\\', 'ada', 'auth0|5f7c/x', 'ben', 'cyd', 'eve'];

describe('GET /api/users', () => {
  it('returns every field of a user, and no other', async () => {
    const { status, body } = await get('/api/users?id=ben');
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        users: [
          {
            id: 'ben',
            email: 'Ben.Smith@Example.com',
            displayName: 'Bénédicte',
            type: 'guest',
            status: 'active',
            activeUntil: null,
            createdAt: at,
            updatedAt: at,
          },
        ],
        next: null,
      },
    });
  });

  it.each([
    ['', ALL],
    ['?id=cyd&id=ada&id=nobody', ['ada', 'cyd']],
    ['?status=inactive', ['eve']],
    ['?type=administrator', ['ada']],
    ['?type=member&status=inactive', ['eve']],
    ['?workspace=atlas', ['ben', 'cyd']],
    ['?workspace=nowhere', []],
    ['?group=atlas-editors', ['cyd']],
    ['?permission=content.edit', ['ben', 'cyd']],
    ['?permission=users.administer', ['ada']],
    ['?permission=content.edit&workspace=borealis', ['cyd']],
    ['?search=SMITH@ex', ['ben']],
    ['?search=B%C3%89N%C3%89', ['ben']],
    ['?search=100%25_', ['Dee 100%_\\']],
    ['?search=%25%25%25', []],
    ['?search=___', []],
    ['?search=f7c/x', ['auth0|5f7c/x']],
    ['?search=smith&workspace=atlas', ['ben']],
    ['?search=BENED', ['ben']],
    ['?search=d', ['Dee 100%_\\']],
    ['?search=1', []],
    ['?email=ben.smith@EXAMPLE.com', ['ben']],
    ['?email=nobody@example.com&email=BEN.SMITH@example.com', ['ben']],
    ['?email=ben.smith@example.co', []],
    ['?email=no+address', []],
    ['?email=ben.smith@example.com&status=inactive', []],
  ])('with %s finds %j', async (query, ids) => {
    expect(await idsOf(`/api/users${query}`)).toEqual(ids);
  });

  it.each([
    ['2031-01-01T00:00:00%2B02:00', ['ben']],
    ['2031-01-01T00:00:00Z', ['ben', 'cyd']],
    ['2031-01-01T00:00:00.001Z', ['ada', 'ben', 'cyd']],
    ['0000-01-01T00:00:00Z', []],
    ['9999-12-31T23:59:59Z', ['ada', 'ben', 'cyd', 'eve']],
  ])('with endsBefore=%s finds %j, by the account or any membership', async (time, ids) => {
    const { dataSource } = service;
    await dataSource.query(`UPDATE users SET active_until = '2031-01-01T00:00:00Z' WHERE id = 'ada'`);
    await dataSource.query(`UPDATE users SET active_until = '2032-01-01T00:00:00Z' WHERE id = 'eve'`);
    const ends = (place: string, id: string, end: string) =>
      dataSource.query(
        `UPDATE ${place}_memberships SET ends_at = $2, end_refused_at = now() FROM users AS u WHERE u.key = user_key AND u.id = $1`,
        [id, end],
      );
    await ends('workspace', 'ben', '2020-01-01T00:00:00Z');
    await ends('group', 'cyd', '2030-12-31T23:00:00Z');
    expect(await idsOf(`/api/users?endsBefore=${time}`)).toEqual(ids);
    for (const table of ['workspace', 'group'])
      await dataSource.query(`UPDATE ${table}_memberships SET ends_at = NULL`);
    await dataSource.query('UPDATE users SET active_until = NULL');
  });

  it('goes on where the page before ended, in each order', async () => {
    for (const sort of ['id', '-createdAt', '-updatedAt', 'displayName']) {
      const found: string[] = [];
      let next: string | null = `/api/users?limit=2&sort=${sort}`;
      for (let pages = 0; next !== null && pages < 10; pages++) {
        const { body, headers } = await get(next);
        const page = body as { users: { id: string }[]; next: string | null };
        found.push(...page.users.map(({ id }) => id));
        const link = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
        expect(link === undefined).toBe(page.next === null);
        next = link ?? null;
      }
      expect(found).toHaveLength(ALL.length);
      expect(new Set(found)).toEqual(new Set(ALL));
      if (sort === 'id') expect(found).toEqual(ALL);
    }
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=',
    'status=asleep',
    'status=',
    'status=active&status=inactive',
    'search=',
    'search=%CC%81',
    'email=',
    `email=${'a@b&email='.repeat(100)}a@b`,
    `search=${'a'.repeat(101)}`,
    'search=a%00b',
    'search=abc&search=abd',
    'endsBefore=',
    'endsBefore=tomorrow',
    'endsBefore=2030-01-01',
    'endsBefore=2030-01-01T00:00:00',
    'endsBefore=2030-02-30T00:00:00Z',
    'endsBefore=2030-01-01T00:00:00Z&endsBefore=2030-01-01T00:00:00Z',
    'sort=name',
    'sort=',
    'sort=createdAt',
    'sort=-id',
    'sort=id&sort=id',
    'total=',
    'total=1',
    'total=TRUE',
    'total=true&total=true',
    'workspace=',
    'cursor=',
    'cursor=x',
    'id=',
    'id=ada&id=',
    'workspace=atlas&workspace=borealis',
    Array.from({ length: 101 }, (_, index) => `id=${index}`).join('&'),
  ])('refuses ?%s', async (query) => {
    const name = /^[a-z]+/i.exec(query)?.[0];
    const { status, body } = await get(`/api/users?${query}`);
    expect({ status, body }).toEqual({
      status: 400,
      body: { status: 400, message: `Please give a valid value for the query parameter ${name}.` },
    });
  });

  it('refuses the cursor of another list, of other filters, and one that was cut short', async () => {
    const { body } = await get('/api/users?limit=1');
    const { next } = body as { next: string };
    for (const path of [
      `/api/groups?cursor=${next}`,
      `/api/users?status=active&cursor=${next}`,
      `/api/users?sort=-createdAt&cursor=${next}`,
      `/api/users?sort=displayName&cursor=${next}`,
      `/api/users?cursor=${next.slice(0, -2)}`,
    ]) {
      expect((await get(path)).status).toBe(400);
    }
    expect((await get(`/api/users?limit=3&cursor=${next}`)).status).toBe(200);
    const byAge = (await get('/api/users?limit=1&sort=-createdAt')).body as { next: string };
    expect((await get(`/api/users?sort=-createdAt&cursor=${byAge.next}`)).status).toBe(200);
    expect((await get(`/api/users?sort=-updatedAt&cursor=${byAge.next}`)).status).toBe(400);
  });

  it('is for administrators', async () => {
    expect((await get('/api/users', {}, 'ben')).status).toBe(403);
    expect((await get('/api/users', {}, 'eve')).status).toBe(401);
  });
});

describe('the other lists', () => {
  it.each([
    ['/api/workspaces', ['atlas', 'borealis']],
    ['/api/workspaces?search=ORE', ['borealis']],
    ['/api/groups', ['atlas-editors']],
    ['/api/groups?workspace=borealis', []],
    ['/api/groups?workspace=atlas&search=s-ed', ['atlas-editors']],
    ['/api/permissions?grants=administrator', ['users.administer']],
    ['/api/permissions?search=.ed', ['content.edit']],
    ['/api/permissions?sort=id', ['content.edit', 'users.administer']],
  ])('%s finds %j', async (path, ids) => {
    expect(await idsOf(path)).toEqual(ids);
  });

  it.each(
    ['workspaces', 'groups', 'permissions'].flatMap((kind) =>
      ['-createdAt', '-updatedAt', 'displayName', 'name', ''].map((sort) => [kind, sort]),
    ),
  )('GET /api/%s has no order %j', async (kind, sort) => {
    expect((await get(`/api/${kind}?sort=${sort}`)).body).toEqual({
      status: 400,
      message: 'Please give a valid value for the query parameter sort.',
    });
  });
});

describe('total=true', () => {
  it.each([
    ['/api/users', 6],
    ['/api/users?limit=1', 6],
    ['/api/users?limit=1&status=active', 5],
    ['/api/users?limit=1&permission=content.edit&sort=displayName', 2],
    ['/api/users?limit=1&id=ada&id=ben&sort=-updatedAt', 2],
    ['/api/users?search=nothing', 0],
    ['/api/workspaces?limit=1', 2],
    ['/api/groups?workspace=atlas', 1],
    ['/api/permissions?limit=1&search=us', 1],
    ['/api/permissions?limit=1', 2],
  ])('adds to %s the number of matches', async (path, count) => {
    const wanted = path.includes('?') ? `${path}&` : `${path}?`;
    const { body: with_, headers } = await get(`${wanted}total=true`);
    const { body: without } = await get(`${wanted}total=false`);
    expect(with_).toEqual({ ...(without as object), total: { count, exact: true } });
    expect(Object.keys(with_ as object).at(-1)).toBe('total');
    const next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    if (next) expect((await get(next)).body).toMatchObject({ total: { count, exact: true } });
  });

  it.each(['/api/users/cyd/memberships', '/api/users/cyd/permissions', '/api/journal', '/api/users/cyd', '/api/me'])(
    'is no parameter of %s, nor is an order',
    async (path) => {
      for (const name of ['total', 'sort']) {
        expect((await get(`${path}?${name}=true`)).body).toEqual({
          status: 400,
          message: `There is no query parameter ${name} here.`,
        });
      }
    },
  );
});

describe('a filter by a value that can be no id', () => {
  const values = ['%00', 'ada%00', 'i'.repeat(256), '%F0%9F%98%80'.repeat(256)];

  it.each([
    ['users', ['id', 'workspace', 'group', 'permission']],
    ['workspaces', ['id']],
    ['groups', ['id', 'workspace']],
    ['permissions', ['id']],
  ])('finds no %s, as with any unknown id', async (kind, names) => {
    for (const name of names)
      for (const value of values) {
        const { status, body } = await get(`/api/${kind}?${name}=${value}`);
        expect({ name, value, status, body }).toEqual({ name, value, status: 200, body: { [kind]: [], next: null } });
      }
  });

  it('still finds the other ids', async () => {
    expect(await idsOf(`/api/users?id=ada&id=a%00&id=${'i'.repeat(256)}`)).toEqual(['ada']);
  });
});

describe('one record', () => {
  it('comes with its direct permissions and an ETag that If-None-Match knows', async () => {
    const first = await get('/api/workspaces/atlas');
    expect(first.body).toMatchObject({ id: 'atlas', name: 'atlas', permissions: ['content.edit'] });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect((await get('/api/workspaces/atlas', { 'if-none-match': `"x"\t,\tW/${etag}` })).status).toBe(304);
    expect((await get('/api/workspaces/atlas', { 'if-none-match': '"x"' })).status).toBe(200);
  });

  it.each([
    ['/api/users/auth0%7C5f7c%2Fx', 200],
    ['/api/users/Dee%20100%25_%5C', 200],
    ['/api/users/a%00b', 404],
    [`/api/users/${'x'.repeat(5_000)}`, 404],
    ['/api/users/%zz', 400],
    ['/api/users/nobody', 404],
    ['/api/users/workspace-assign', 405],
    ['/api/users/manage-status/', 405],
    ['/api/users/Manage-Status/', 404],
    ['/api/users/status-assign', 405],
    ['/api/workspaces/none', 404],
    ['/api/groups/none', 404],
    ['/api/permissions/none', 404],
    ['/api/permissions/content.edit', 200],
    ['/api/groups/atlas-editors', 200],
  ])('%s answers %d', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it('says which kind is unknown', async () => {
    expect((await get('/api/groups/none')).body).toEqual({ status: 404, message: 'There is no such group.' });
  });
});

describe('GET /api/users/{id}/memberships', () => {
  it('returns workspaces with their groups, in pages', async () => {
    const { body, headers } = await get('/api/users/cyd/memberships?limit=1');
    const { next, ...page } = body as { next: string };
    expect(page).toEqual({
      memberships: [
        { workspace: { id: 'atlas', name: 'atlas' }, groups: [{ id: 'atlas-editors', name: 'atlas-editors' }] },
      ],
    });
    expect(headers.get('link')).toContain(`cursor=${next}`);
    expect((await get(`/api/users/cyd/memberships?cursor=${next}`)).body).toEqual({
      memberships: [{ workspace: { id: 'borealis', name: 'borealis' }, groups: [] }],
      next: null,
    });
    expect((await get('/api/users/none/memberships')).status).toBe(404);
  });
});

describe('GET /api/me', () => {
  it('returns the caller', async () => {
    const { body } = await get('/api/me', {}, 'cyd');
    expect(body).toMatchObject({ kind: 'user', id: 'cyd', administrator: false, user: { id: 'cyd', type: 'guest' } });
    const response = await fetch(`${service.url}/api/me`, {
      headers: { authorization: `Bearer ${service.serviceToken()}` },
    });
    expect(await response.json()).toEqual({ kind: 'service', id: 'calling-service', administrator: true });
  });
});
