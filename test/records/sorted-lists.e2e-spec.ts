import { randomInt } from 'node:crypto';
import { contains, isAfter, USER_FILTERS } from '../../src/records/list-filters';
import { LIST_ORDERS, type ListSort, USER_SORTS } from '../../src/records/list-orders';
import { type ListRequest, walk } from '../../src/records/list-plan';
import { UserRecordsController } from '../../src/users/user-records.controller';
import { useTestService } from '../support/test-service';

interface Listed {
  id: string;
  displayName: string | null;
  createdAt: string;
  updatedAt: string;
}

/** In order. Names that compare equal follow each other by id. */
const NAMES: (string | null)[][] = [
  ['   '],
  ['!'],
  ["'t Hooft"],
  ['-'],
  ['1 2'],
  ['10'],
  ['@'],
  ['Ada', 'ada', 'ÁDA', ' \u00a0ada\t', 'A\u0301da'],
  ['Ada  Lovelace', 'ada\u3000lovelace', 'Ada Lovelace'],
  ['Ada-Lovelace'],
  ['Adam'],
  ['Æsir', 'aesir'],
  ['Đorđe', 'dorde'],
  ["O'Brien"],
  ['Obrien'],
  ['Øystein', 'oystein', 'Öystein'],
  ['Straße', 'STRASSE', 'strasse'],
  ['Zoe', 'Zoë', 'ZOE'],
  ['zz~'],
  ['~'],
  ['Γιώργος', 'ΓΙΏΡΓΟΣ'],
  ['किताब'],
  ['李明'],
  ['\u{10ffff}'],
  [null, null, null],
];

const service = useTestService();
let list: UserRecordsController;
let all: Listed[];

const byteOrder = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const latestFirst = (field: 'createdAt' | 'updatedAt') => (one: Listed, other: Listed) =>
  byteOrder(other[field], one[field]) || byteOrder(other.id, one.id);
const rankOf = ({ displayName }: Listed) => NAMES.findIndex((names) => names.includes(displayName));

const COMPARE: Record<ListSort, (one: Listed, other: Listed) => number> = {
  id: (one, other) => byteOrder(one.id, other.id),
  '-createdAt': latestFirst('createdAt'),
  '-updatedAt': latestFirst('updatedAt'),
  displayName: (one, other) => rankOf(one) - rankOf(other) || byteOrder(one.id, other.id),
};

beforeAll(async () => {
  list = service.app.get(UserRecordsController);
  const names = NAMES.flat().flatMap((name) => [name, name]);
  await service.dataSource.query(
    `INSERT INTO users (id, display_name, created_at, updated_at, status)
     SELECT id, name, at + created * interval '1 ms', at + updated * interval '1 ms', status::user_status
     FROM (SELECT '2026-01-01'::timestamptz AS at) AS base, unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[]) AS u (id, name, created, updated, status)`,
    [
      names.map((_, index) => `${randomInt(1e9)}-${index}`),
      names,
      names.map(() => randomInt(9)),
      names.map(() => randomInt(9)),
      names.map(() => (randomInt(3) ? 'active' : 'inactive')),
    ],
  );
  all = (await walkThrough('id', 200)) as Listed[];
});

async function walkThrough(sort: ListSort, limit: number, more: object = {}, between?: () => Promise<unknown>) {
  const found: object[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    if (!isFirst) await between?.();
    const page = await list.listUsers({ ...more, sort, limit, ...(cursor && { cursor }) } as never);
    found.push(...page.users);
    cursor = page.next ?? undefined;
  }
  return found;
}

const idsOf = (users: object[]) => (users as Listed[]).map(({ id }) => id);

describe('GET /api/users?sort', () => {
  it.each(USER_SORTS.flatMap((sort) => [1, 7, 200].map((limit) => [sort, limit] as const)))(
    'by %s, pages of %i have every user once, in order',
    async (sort, limit) => {
      expect(all).toHaveLength(2 * NAMES.flat().length);
      expect(idsOf(await walkThrough(sort, limit))).toEqual(idsOf(all.toSorted(COMPARE[sort])));
      const inactive = all.filter((user) => (user as Listed & { status: string }).status === 'inactive');
      expect(idsOf(await walkThrough(sort, limit, { status: 'inactive' }))).toEqual(
        idsOf(inactive.toSorted(COMPARE[sort])),
      );
    },
  );

  it.each(USER_SORTS)('by %s, pages have whoever stayed as they were, while others change in between', async (sort) => {
    const changing = new Set(idsOf(all.filter((_, index) => index % 3 === 0)));
    const change = () =>
      service.dataSource.query(
        `UPDATE users SET display_name = chr(97 + (random() * 25)::integer), updated_at = now() - random() * interval '400 days'
         WHERE id = ANY ($1)`,
        [[...changing]],
      );
    const found = idsOf(await walkThrough(sort, 5, {}, change)).filter((id) => !changing.has(id));
    const stayed = all.filter(({ id }) => !changing.has(id));
    expect(found).toEqual(idsOf(stayed.toSorted(COMPARE[sort])));
  });

  it('by -updatedAt, whatever updates, renames and deletes users', async () => {
    const { directory, dataSource } = service;
    for (const id of ['up-a', 'up-b', 'up-c']) await directory.user(id);
    await dataSource.query(
      `UPDATE users SET updated_at = now() + interval '1 day' WHERE id IN ('up-a', 'up-b', 'up-c')`,
    );
    await dataSource.query(`UPDATE users SET id = 'up-z', updated_at = updated_at + interval '1 ms' WHERE id = 'up-a'`);
    await dataSource.query(
      `UPDATE users SET status = 'inactive', updated_at = now() + interval '2 days' WHERE id = 'up-b'`,
    );
    await dataSource.query(`DELETE FROM users WHERE id = 'up-c'`);
    const { users } = await list.listUsers({ sort: '-updatedAt', limit: 3, search: 'up-' } as never);
    expect(idsOf(users)).toEqual(['up-b', 'up-z']);
    expect(idsOf((await list.listUsers({ sort: '-updatedAt', limit: 2 } as never)).users)).toEqual(['up-b', 'up-z']);
    expect(
      await dataSource.query(
        'SELECT key, updated_at, id FROM users EXCEPT SELECT user_key, updated_at, id FROM user_updates',
      ),
    ).toEqual([]);
    expect(
      await dataSource.query(
        'SELECT user_key, updated_at, id FROM user_updates EXCEPT SELECT key, updated_at, id FROM users',
      ),
    ).toEqual([]);
  });

  it('by displayName, a name of any characters of any length', async () => {
    const { dataSource } = service;
    for (const [index, letter] of ['\u{1d160}', 'ß', '\ufb2c', '\u{1f468}', 'x'].entries()) {
      await dataSource.query('INSERT INTO users (id, display_name) VALUES ($1, $2)', [
        `${'\u{20000}'.repeat(254)}${index}`,
        Array.from({ length: 255 }, (_, at) => (at % 7 ? letter : String.fromCodePoint(0x4e00 + at))).join(''),
      ]);
    }
    const count = (await walkThrough('id', 200)).length;
    expect(new Set(idsOf(await walkThrough('displayName', 1))).size).toBe(count);
  });
});

describe('the walk of a list', () => {
  const INDEX = {
    id: 'users_id_unique',
    '-createdAt': 'users_created_at',
    '-updatedAt': 'user_updates_updated_at',
    displayName: 'users_name_order',
  };
  const POSITION = {
    id: { id: '5' },
    '-createdAt': atTime(),
    '-updatedAt': atTime(),
    displayName: { id: '5', detail: '0m' },
  };

  function atTime() {
    return { id: '5', detail: '2026-01-01T00:00:00.003Z' };
  }

  async function planOf({ filters, ...request }: ListRequest): Promise<string> {
    const parameters = Object.assign({}, ...filters.map((filter) => filter.parameters)) as Record<string, string>;
    const statement = walk({ ...request, filters }, 50).replace(
      /(?<!:):(\w+)/g,
      (_, name: string) => `'${parameters[name]}'`,
    );
    const lines: { 'QUERY PLAN': string }[] = await service.dataSource.query(
      `EXPLAIN (ANALYZE, COSTS off, TIMING off) ${statement}`,
    );
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  }

  beforeAll(async () => {
    await service.dataSource.query(
      `INSERT INTO users (id, display_name, created_at, updated_at)
       SELECT 'w' || n, 'W ' || n, now() - n * interval '1 s', now() - n * interval '1 s' FROM generate_series(1, 5000) AS n`,
    );
    for (const table of ['users', 'user_updates', 'inactive_users'])
      await service.dataSource.query(`VACUUM ANALYZE ${table}`);
  });

  it.each(USER_SORTS)('by %s reads no more of its index than it may examine, and no user', async (sort) => {
    for (const filters of [[], [USER_FILTERS.status('inactive')]]) {
      const order = LIST_ORDERS[sort];
      for (const after of [[], [isAfter(POSITION[sort], order)]]) {
        const plan = await planOf({ table: 'users', filters: [...filters, ...after], order, wanted: 51 });
        expect(plan).toMatch(
          new RegExp(
            `Index Only Scan (Backward )?using ${INDEX[sort]} on \\w+( \\w+)? \\(actual rows=(5[01]|4\\d|[1-3]?\\d)[. ]`,
          ),
        );
        expect(plan).not.toMatch(/Sort|Seq Scan on (users|user_updates)/);
      }
    }
  });

  it('by -updatedAt reads of the users only those whom it examines', async () => {
    const filters = [USER_FILTERS.type('guest'), contains('w 1', true)];
    const plan = await planOf({ table: 'users', filters, order: LIST_ORDERS['-updatedAt'], wanted: 51 });
    expect(plan).toMatch(/Index Scan using users_pkey on users record_\d .*loops=50\)/);
    expect(plan).not.toMatch(/Seq Scan on users/);
  });
});
