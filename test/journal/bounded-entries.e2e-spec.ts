import { LIMITS } from '../../src/contract/limits';
import type { JournalEntryDto, JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { Statements } from '@user-administration/postgres';
import { FollowerCursor } from '../../src/journal/follower-cursor';
import { JournalReader } from '../../src/journal/journal-reader';
import { querySealed } from '../support/sealed';
import { verifyJournal } from '../../src/journal/verify-journal';
import type { HeldPermissionsDto } from '../../src/users/dto/held-permissions.dto';
import { useTestService } from '../support/test-service';
import { call } from '../support/record-calls';
import { costly, getPage, numberIn, walkPages } from '../support/walk-pages';
import { WEBHOOK_LIMITS } from '../../src/plugins/webhooks/limits';

const service = useTestService();
const PLACES = 1_000;
/** The cursor before all changes. */
let start: string;
/** The ids that the lists of one entry have at most. */
const IN_ENTRY = 1_000;

interface Places {
  workspaces: string[];
  groups: string[];
}
interface Facts extends Partial<Places> {
  permissions?: string[];
  more?: number;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const idsOf = (table: string, like: string): Promise<string[]> =>
  service.dataSource
    .query(`SELECT id FROM ${table} WHERE id LIKE $1 ORDER BY id`, [like])
    .then((rows: { id: string }[]) => rows.map(({ id }) => id));

beforeAll(async () => {
  const { dataSource, directory } = service;
  await directory.user('ada', { type: 'administrator' });
  await dataSource.query(
    `INSERT INTO workspaces (id, name) SELECT ${costly('w')}, 'W' FROM generate_series(1, ${PLACES}) AS n`,
  );
  await dataSource.query(
    `INSERT INTO groups (id, name, workspace_key) SELECT ${costly('g')}, 'G', key
     FROM generate_series(1, ${PLACES}) AS n JOIN workspaces ON workspaces.id = ${costly('w', '1 + n % 3')}`,
  );
});

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await call(service, method, path, { body });
  expect([answer.status, answer.status < 300 ? undefined : answer.body]).toEqual([answer.status, undefined]);
}

/** The entries about a user, oldest first. */
async function entriesOf(user: string): Promise<JournalEntryDto[]> {
  const pages = await walkPages<JournalPageDto>(service, `/api/journal?limit=200&user=${user}`);
  return pages.flatMap(({ entries }) => entries).reverse();
}

describe('the journal of changes with as many and as large ids as there can be', () => {
  const users = ['bea', 'bob'];

  beforeAll(async () => {
    start = (await getPage<JournalPageDto>(service, '/api/journal?after=now')).body.next as string;
    for (const user of users) await service.directory.user(user);
    const places = { workspaces: await idsOf('workspaces', '%w0%'), groups: await idsOf('groups', '%g0%') };
    await send('POST', '/api/users/workspace-assign', { userIds: users, ...places });
    await send('POST', '/api/users/workspace-unassign', { userIds: users, workspaces: places.workspaces });
  });

  it.each(users)('an entry has at most 1,000 ids, and all of %s together have every place once', async (user) => {
    const entries = await entriesOf(user);
    for (const [action, side] of [
      ['user.workspaces.assigned', 'after'],
      ['user.workspaces.unassigned', 'before'],
    ] as const) {
      const facts = entries.filter((entry) => entry.action === action).map((entry) => entry[side] as Places);
      expect(facts.map(({ workspaces, groups }) => workspaces.length + groups.length)).toEqual([IN_ENTRY, IN_ENTRY]);
      expect(facts.flatMap(({ workspaces }) => workspaces.map(numberIn))).toEqual(upTo(PLACES));
      expect(facts.flatMap(({ groups }) => groups.map(numberIn))).toEqual(upTo(PLACES));
    }
    const concerned = entries.map(({ workspaces }) => workspaces.map(numberIn));
    expect(concerned).toEqual([upTo(PLACES), [1, 2, 3], upTo(PLACES), [1, 2, 3]]);
  });

  it.each(['', '&workspace=WORKSPACE', '&user=bea'])(
    'pages backwards and forwards have every entry once: "%s"',
    async (filter) => {
      const [workspace = ''] = await idsOf('workspaces', '%w00000002');
      const query = `limit=200${filter.replace('WORKSPACE', encodeURIComponent(workspace))}`;
      const backwards = (await walkPages<JournalPageDto>(service, `/api/journal?${query}`)).flatMap(
        (page) => page.entries,
      );
      const forwards: JournalEntryDto[] = [];
      for (let after = start, more = true; more;) {
        const page = await getPage<JournalPageDto>(service, `/api/journal?${query}&after=${after}`);
        expect([page.status, page.bytes <= LIMITS.pageBytes]).toEqual([200, true]);
        forwards.push(...page.body.entries);
        more = page.link !== null;
        expect(more && page.body.next === after).toBe(false);
        after = page.body.next as string;
      }
      const ids = backwards.map(({ id }) => id);
      expect(ids.length).toBeGreaterThanOrEqual(4);
      expect(new Set(ids).size).toBe(ids.length);
      expect(forwards.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    },
  );
});

describe('the database', () => {
  it('sends no more than one change that does not fit on the page', async () => {
    const { dataSource } = service;
    const reader = new JournalReader(new Statements(dataSource));
    const [{ position }]: [{ position: string }] = await querySealed(dataSource, 'SELECT position FROM journal_head');
    const span = { after: FollowerCursor.read(start)?.position ?? NaN, until: Number(position) };
    // A change of two users fills a page.
    for (const [filter, isForward, least] of [
      [{}, true, 1],
      [{}, false, 1],
      [{ user: 'bea' }, false, 2],
    ] as const) {
      const { changes } = await reader.find(filter, span, 201, isForward);
      expect(changes.length).toBeGreaterThanOrEqual(least);
      const bytes = changes.slice(0, -1).reduce((sum, change) => sum + change.bytes, 0);
      expect(bytes).toBeLessThanOrEqual(LIMITS.pageBytes);
    }
  });
});

describe('the entries of records with more than 1,000 ids', () => {
  const PERMISSIONS = 1_500;
  const WORKSPACES = 1_200;
  let begin: string;

  beforeAll(async () => {
    const { dataSource } = service;
    begin = (await getPage<JournalPageDto>(service, '/api/journal?after=now')).body.next as string;
    await dataSource.query(
      `INSERT INTO permissions (id, grants) SELECT 'p' || lpad(n::text, 8, '0'), 'member' FROM generate_series(1, ${PERMISSIONS}) AS n`,
    );
    await dataSource.query(
      `INSERT INTO workspaces (id, name) SELECT 'x' || lpad(n::text, 8, '0'), 'X' FROM generate_series(1, ${WORKSPACES}) AS n`,
    );
    const lists = { permissions: await idsOf('permissions', 'p%'), workspaces: await idsOf('workspaces', 'x%') };
    await send('POST', '/api/users', { id: 'max', ...lists });
    await send('PATCH', '/api/users/max', { permissions: lists.permissions.slice(0, -1) });
    await send('PATCH', '/api/workspaces/x00000001', { permissions: lists.permissions });
  });

  it('of a creation and a change are cut, and what was cut has entries of its own', async () => {
    const entries = await entriesOf('max');
    const told = entries.map(({ action, workspaces, before, after }) => {
      const sizeOf = (facts: Facts | null) =>
        facts && [facts.permissions?.length, facts.workspaces?.length, facts.groups?.length, facts.more];
      return [action, workspaces.length, sizeOf(before as Facts | null), sizeOf(after as Facts | null)];
    });
    expect(told).toEqual([
      ['user.created', 1_000, null, [1_000, 0, 0, 1_700]],
      ['user.permissions.changed', 0, [0, undefined, undefined, undefined], [500, undefined, undefined, undefined]],
      ['user.workspaces.assigned', 500, null, [undefined, 500, 0, undefined]],
      ['user.workspaces.assigned', 700, null, [undefined, 700, 0, undefined]],
      [
        'user.type.changed',
        0,
        [undefined, undefined, undefined, undefined],
        [undefined, undefined, undefined, undefined],
      ],
      ['user.updated', 0, [500, undefined, undefined, 1_000], [500, undefined, undefined, 999]],
      ['user.permissions.changed', 0, [500, undefined, undefined, undefined], [499, undefined, undefined, undefined]],
    ]);
  });

  it('tell who gave a permission that was cut', async () => {
    const pages = await walkPages<HeldPermissionsDto>(service, '/api/users/max/permissions?limit=200');
    const permissions = pages.flatMap((page) => page.permissions);
    const direct = permissions.flatMap(({ sources }) => sources.filter(({ kind }) => kind === 'user'));
    expect([permissions.length, direct.length]).toEqual([PERMISSIONS, PERMISSIONS - 1]);
    const unknown = permissions.flatMap(({ id, sources }) =>
      sources.filter(({ since }) => since === null).map(() => id),
    );
    expect(unknown).toEqual([]);
  });

  it('of a deletion are cut, and what was cut has entries of its own before it', async () => {
    await send('DELETE', '/api/users/max');
    const entries = (await entriesOf('max')).slice(7);
    const facts = entries.map(({ before }) => before as Facts);
    expect(entries.map(({ action }) => action)).toEqual([
      'user.permissions.changed',
      'user.workspaces.unassigned',
      'user.workspaces.unassigned',
      'user.deleted',
    ]);
    expect(facts.at(-1)).toMatchObject({ groups: [], more: PERMISSIONS - 1 + WORKSPACES - IN_ENTRY });
    expect(facts.flatMap(({ permissions = [] }) => permissions).sort()).toEqual(
      (await idsOf('permissions', 'p%')).slice(0, -1),
    );
    expect(facts.flatMap(({ workspaces = [] }) => workspaces).sort()).toEqual(await idsOf('workspaces', 'x%'));
  });

  it.each(['', `after=START&`])(
    'are told in brief: without lists, with status and type, and none less: "%s"',
    async (way) => {
      const query = `/api/journal?${way.replace('START', begin)}user=max&action=user.created&action=user.deleted&limit=200`;
      const [whole, brief] = [
        await getPage<JournalPageDto>(service, query),
        await getPage<JournalPageDto>(service, `${query}&brief=true`),
      ];
      const factsOf = (facts: object | null) =>
        facts && Object.fromEntries(Object.entries(facts).filter(([name]) => ['status', 'type'].includes(name)));
      const expected = whole.body.entries.map((entry) => {
        return { ...entry, workspaces: [], before: factsOf(entry.before), after: factsOf(entry.after) };
      });
      expect(brief.body).toEqual({ ...whole.body, entries: expected });
      expect(brief.body.entries.map(({ after }) => after)).toContainEqual({ status: 'active' });
      expect([whole.bytes > 20_000, brief.bytes < 2_000]).toEqual([true, true]);
    },
  );

  it('of a deleted workspace are cut', async () => {
    await send('DELETE', '/api/workspaces/x00000001');
    const { body } = await getPage<JournalPageDto>(
      service,
      '/api/journal?workspace=x00000001&action=workspace.deleted',
    );
    const [{ before }] = body.entries as unknown as [{ before: Facts }];
    expect([before.permissions?.length, before.more]).toEqual([1_000, 500]);
  });

  it('fit their hashes', async () => {
    expect((await verifyJournal(service.dataSource)).broken).toBeUndefined();
  });
});

describe('a result', () => {
  it('of far more is refused before the database sends it', async () => {
    const represented = (users: number) =>
      service.dataSource.query(
        `SELECT represented_changes(ARRAY[ROW('user.workspaces.assigned', ARRAY(SELECT n::text FROM generate_series(1, $1) AS n), NULL, NULL,
           jsonb_build_object('workspaces', ARRAY(SELECT ${costly('w')} FROM generate_series(1, 1000) AS n)))::journal_new_change])`,
        [users],
      );
    await represented(10);
    await expect(represented(12)).rejects.toMatchObject({ driverError: { code: 'UA005' } });
  });

  it.each(['?dryRun=true', ''])('of more than 4 MiB is refused, and nothing is written: "%s"', async (query) => {
    const { directory, dataSource } = service;
    await directory.clear();
    await directory.user('ada', { type: 'administrator' });
    await dataSource.query(
      `INSERT INTO workspaces (id, name) SELECT ${costly('w')}, 'W' FROM generate_series(1, 290) AS n`,
    );
    await dataSource.query(`INSERT INTO users (id) SELECT 'u' || n FROM generate_series(1, 10) AS n`);
    const before = await directory.state();
    const userIds = upTo(10).map((n) => `u${n}`);
    const workspaces = await idsOf('workspaces', '%w0%');
    const assign = (ids: string[]) =>
      call(service, 'POST', `/api/users/workspace-assign${query}`, {
        body: { userIds: ids, workspaces },
        headers: { prefer: 'return=representation' },
      });
    expect(await assign(userIds)).toMatchObject({
      status: 400,
      body: { status: 400, message: 'This request is too large to be represented: at most 100,000 memberships.' },
    });
    expect(await directory.state()).toEqual(before);
    expect((await assign(userIds.slice(1))).status).toBe(200);
  });

  it.each(['?dryRun=true', ''])('of many statuses is refused in the same way: "%s"', async (query) => {
    const { directory, dataSource } = service;
    await directory.clear();
    await directory.user('ada', { type: 'administrator' });
    await dataSource.query(`INSERT INTO users (id) SELECT ${costly('u')} FROM generate_series(1, 2800) AS n`);
    const before = await directory.state();
    const userIds = await idsOf('users', '%u0%');
    const deactivate = (ids: string[]) =>
      call(service, 'POST', `/api/users/status-assign${query}`, {
        body: { userIds: ids, status: 'inactive' },
        headers: { prefer: 'return=representation' },
      });
    expect(await deactivate(userIds)).toMatchObject({
      status: 400,
      body: { status: 400, message: 'This request is too large to be represented: at most 100,000 memberships.' },
    });
    expect(await directory.state()).toEqual(before);
    expect((await deactivate(userIds.slice(200))).status).toBe(200);
  });
});

it('records cannot fill 200 of them more than a page, so lists of records measure nothing', () => {
  const { recordsPage, identifier, email, name, description, pageBytes } = LIMITS;
  const { webhooks, url } = WEBHOOK_LIMITS;
  const bytes = (characters: number) => 6 * characters + 512;
  expect(recordsPage * bytes(identifier + email + name)).toBeLessThan(pageBytes);
  expect(recordsPage * bytes(2 * identifier + name)).toBeLessThan(pageBytes);
  expect(recordsPage * bytes(identifier + description)).toBeLessThan(pageBytes);
  expect(webhooks * (bytes(url) + 23 * 32)).toBeLessThan(pageBytes);
  expect(WEBHOOK_LIMITS.deliveriesPage * bytes(2 * identifier + 1_000)).toBeLessThan(pageBytes);
});
