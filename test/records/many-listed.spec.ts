import { UserRecordsController } from '../../src/users/user-records.controller';
import { useTestService } from '../support/test-service';

/** So many that some filters are not selective, and that a walk can end before the list does. */
const USERS = 13_500;

/** The values of each filter, with a test in SQL of who matches: nearly everyone, half, few and nobody. */
const FILTERS: Record<string, Record<string, string>> = {
  status: { active: 'n % 5 > 0', inactive: 'n % 5 = 0' },
  type: { member: 'n % 3 > 0', guest: 'n % 3 = 0' },
  workspace: { everyone: 'n <> 7', half: 'n % 2 = 0', many: 'n % 5 > 2', few: 'n % 500 = 0', nobody: 'false' },
  permission: {
    'of-everyone': 'n <> 7',
    'of-half': 'n % 2 = 0 OR n = 1',
    'of-few': 'n % 500 = 0',
    'of-nobody': 'false',
  },
  endsBefore: {
    '2030-01-01T00:00:00Z': 'n % 700 = 5 OR n % 500 = 0',
    '2040-01-01T00:00:00Z': 'n % 700 = 5 OR n % 5 > 2 OR n % 500 = 0',
    '2020-01-01T00:00:00Z': 'false',
  },
  search: {
    'user@': 'true',
    others: 'n % 5 < 3',
    '1@e': 'n % 10 = 1',
    us: 'true',
    '123@': 'n % 1000 = 123',
    nothing: 'false',
  },
};

const service = useTestService();
let list: UserRecordsController;

beforeAll(async () => {
  list = service.app.get(UserRecordsController);
  const { directory, dataSource } = service;
  await directory.workspace('home');
  for (const kind of ['everyone', 'half', 'many', 'few', 'nobody']) {
    await directory.permission(`of-${kind}`, 'member');
    await directory.workspace(kind, [`of-${kind}`]);
  }
  await dataSource.query(
    `INSERT INTO users (id, email, display_name, created_at, updated_at, status, type)
     SELECT reverse(n::text), 'user@' || n || '@example', CASE WHEN n % 5 < 3 THEN 'Others' END, '2026-01-01'::timestamptz + n % 1000 * interval '1 s',
       '2026-02-01'::timestamptz + n % 700 * interval '1 s',
       (CASE WHEN n % 5 = 0 THEN 'inactive' ELSE 'active' END)::user_status,
       (CASE WHEN n % 3 = 0 THEN 'guest' ELSE 'member' END)::user_type
     FROM generate_series(1, ${USERS}) AS n`,
  );
  await dataSource.query('CREATE VIEW numbered AS SELECT *, reverse(id)::integer AS n FROM users');
  for (const [workspace, test] of Object.entries(FILTERS.workspace ?? {})) {
    await dataSource.query(
      `INSERT INTO workspace_memberships (user_key, workspace_key)
       SELECT u.key, w.key FROM numbered AS u, workspaces AS w WHERE w.id = '${workspace}' AND (${test})`,
    );
  }
  await dataSource.query(
    `UPDATE users SET active_until = '2029-12-31T23:59:59.999Z' WHERE reverse(id)::integer % 700 = 5`,
  );
  for (const [workspace, end] of [
    ['many', '2030-01-01T00:00:00Z'],
    ['few', '2029-06-01T00:00:00Z'],
    ['half', '2040-01-01T00:00:00Z'],
  ])
    await dataSource.query(
      `UPDATE workspace_memberships SET ends_at = $2 FROM workspaces AS w WHERE w.key = workspace_key AND w.id = $1`,
      [workspace, end],
    );
  await dataSource.query(
    `INSERT INTO user_permissions (user_key, permission_key)
     SELECT u.key, p.key FROM numbered AS u, permissions AS p WHERE u.n = 1 AND p.id = 'of-half'`,
  );
  await dataSource.query('ANALYZE');
});

const SORTS = {
  id: 'id',
  '-createdAt': 'created_at DESC, id DESC',
  '-updatedAt': 'updated_at DESC, id DESC',
  displayName: 'display_name NULLS LAST, id',
} as const;
const values = Object.entries(FILTERS).flatMap(([filter, tests]) =>
  Object.entries(tests).map(([value, test]) => ({ filter, value, test })),
);
const pairs = values.flatMap((one, index) => [
  [one],
  ...values.slice(index + 1).flatMap((other) => (other.filter === one.filter ? [] : [[one, other]])),
]);

it.each(Object.entries(SORTS))(
  'by %s, each filter and each two of them find all whom they match',
  async (sort, order) => {
    const limit = 50;
    for (const filters of pairs) {
      const where = filters.map(({ test }) => `(${test})`).join(' AND ');
      const rows: { id: string }[] = await service.dataSource.query(
        `SELECT id FROM numbered WHERE ${where} ORDER BY ${order} LIMIT ${2 * limit + 1}`,
      );
      const query = { ...Object.fromEntries(filters.map(({ filter, value }) => [filter, value])), sort, limit };
      const first = await list.listUsers(query as never);
      const second = first.next === null ? undefined : await list.listUsers({ ...query, cursor: first.next } as never);
      const found = [...first.users, ...(second?.users ?? [])].map(({ id }) => id);
      expect([query, found]).toEqual([query, rows.slice(0, 2 * limit).map(({ id }) => id)]);
      expect([query, (second ?? first).next === null]).toEqual([query, rows.length <= 2 * limit]);
    }
  },
);

it.each(Object.keys(SORTS))('by %s, a page that has examined too much ends, and the next goes on', async (sort) => {
  // Many users match each filter, and nobody matches both.
  const query = { workspace: 'many', search: 'others', sort, limit: 50 };
  const first = await list.listUsers(query as never);
  expect(first).toEqual({ users: [], next: expect.any(String) as string });
  const second = await list.listUsers({ ...query, cursor: first.next } as never);
  expect(second).toEqual({ users: [], next: null });
});

it('each filter and each two of them count whom they match, to 10,000', async () => {
  for (const filters of pairs) {
    const where = filters.map(({ test }) => `(${test})`).join(' AND ');
    const [{ count }] = await service.dataSource.query<[{ count: number }]>(
      `SELECT count(*)::integer FROM numbered WHERE ${where}`,
    );
    const query = { ...Object.fromEntries(filters.map(({ filter, value }) => [filter, value])), sort: 'id', limit: 1 };
    const { total } = await list.listUsers({ ...query, total: true } as never);
    expect([query, total]).toEqual([query, { count: Math.min(count, 10_000), exact: count <= 10_000 }]);
  }
});
