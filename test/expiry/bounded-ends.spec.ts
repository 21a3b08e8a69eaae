import { Expiry } from '../../src/expiry/expiry';
import { AssignWorkspacesService } from '../../src/users/assign-workspaces.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import type { JournalEntryDto } from '../../src/journal/dto/journal-page.dto';
import { DAY, HOUR } from '../support/ends';
import { newestEntries } from '../support/sealed';
import { useTestService } from '../support/test-service';

const MANY = 100_000;
const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;

const service = useTestService();
const query = <Rows>(statement: string, parameters: unknown[] = []) =>
  service.dataSource.query<Rows>(statement, parameters);

beforeAll(() => service.app.get(Expiry).beforeApplicationShutdown());

/** The pages that a statement reads, the second time: the first also reads what it is planned from. */
async function pagesRead(statement: string): Promise<number> {
  let plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } | undefined;
  for (let time = 0; time < 2; time++) {
    const [row] = await query<[{ 'QUERY PLAN': [{ Plan: NonNullable<typeof plan> }] }]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
    );
    plan = row['QUERY PLAN'][0].Plan;
  }
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

describe(`beside ${MANY} memberships`, () => {
  const CARRY_OUT = `SELECT * FROM carry_out_ends(1000, 5000, 'users.read', '-infinity', 0, '-infinity', 0, NULL, 'system', 'user-admin expiry', NULL, NULL, NULL, NULL)`;
  const ASSIGN = `SELECT * FROM assign_users('{ben}', '{home}', '{}', NULL, false, false, NULL, 'service', 'provisioning', NULL, NULL, NULL, NULL)`;

  beforeAll(async () => {
    const { directory } = service;
    await directory.clear();
    await directory.workspace('home');
    await directory.user('ben');
    await query(`INSERT INTO users (id) SELECT 'user-' || n FROM generate_series(1, 1000) AS n`);
    await query(
      `INSERT INTO workspaces (id, name) SELECT 'crowd-' || n, 'C' FROM generate_series(1, ${MANY / 1000}) AS n`,
    );
    await query(
      `INSERT INTO workspace_memberships (user_key, workspace_key)
       SELECT u.key, w.key FROM users AS u, workspaces AS w WHERE u.id LIKE 'user-%' AND w.id LIKE 'crowd-%'`,
    );
    await query('VACUUM ANALYZE users, workspace_memberships, group_memberships');
  }, 120_000);

  it('without an end, neither an assignment nor the look for ends reads them', async () => {
    await query(ASSIGN);
    expect(await pagesRead(ASSIGN)).toBeLessThan(100);
    expect(await pagesRead(CARRY_OUT)).toBeLessThan(20);
  });

  it('that end later, neither an assignment nor the look for ends reads them', async () => {
    await query(`UPDATE workspace_memberships SET ends_at = now() + interval '1 day' + user_key * interval '1 second'`);
    await query(`UPDATE users SET active_until = now() + interval '1 day' + key * interval '1 second'`);
    await query('VACUUM ANALYZE users, workspace_memberships');
    expect(await pagesRead(ASSIGN)).toBeLessThan(100);
    expect(await pagesRead(CARRY_OUT)).toBeLessThan(20);
  }, 120_000);

  it('that have ended, the look for ends reads as many as it takes', async () => {
    await query(`UPDATE workspace_memberships SET ends_at = now() - interval '1 hour'`);
    await query(`UPDATE users SET active_until = now() - interval '1 hour' WHERE id LIKE 'user-%'`);
    await query('VACUUM ANALYZE users, workspace_memberships');
    const look = (most: number) =>
      pagesRead(`SELECT * FROM due_ends(${most}, ${10 * most}, 'users.read', '-infinity', 0, '-infinity', 0)`);
    expect(await look(10)).toBeLessThan(300);
    expect(await look(100)).toBeLessThan(3_000);
  }, 120_000);

  it('that have ended, accounts, administrators and readers come first', async () => {
    const { directory } = service;
    await directory.permission('administer', 'administrator');
    await directory.permission('users.read', 'member');
    await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
    await directory.workspace('staff', ['administer']);
    await directory.workspace('board');
    await directory.group('readers', 'board', ['users.read']);
    for (const id of ['behind', 'con', 'rea'])
      await directory.user(id, { type: id === 'con' ? 'administrator' : id === 'rea' ? 'member' : 'guest' });
    await directory.member('con', 'staff');
    await directory.member('rea', 'board', ['readers']);
    const mine = `(SELECT key FROM users WHERE id IN ('con', 'rea'))`;
    const late = `now() - interval '1 minute'`;
    for (const place of ['workspace', 'group'])
      await query(`UPDATE ${place}_memberships SET ends_at = ${late} WHERE user_key IN ${mine}`);
    await query(`UPDATE users SET active_until = NULL WHERE id LIKE 'user-%'`);
    await query(`UPDATE users SET active_until = ${late} WHERE id = 'behind'`);
    await query(CARRY_OUT.replace('1000, 5000', '10, 100'));
    expect(await query(`SELECT id, type, status FROM users WHERE id IN ('behind', 'con', 'rea') ORDER BY id`)).toEqual([
      { id: 'behind', type: 'guest', status: 'inactive' },
      { id: 'con', type: 'guest', status: 'active' },
      { id: 'rea', type: 'guest', status: 'active' },
    ]);
    expect(await query(`SELECT FROM workspace_memberships WHERE user_key IN ${mine}`)).toEqual([]);
    const [{ left }] = await query<[{ left: number }]>('SELECT count(*)::integer AS left FROM workspace_memberships');
    expect(left).toBeGreaterThan(MANY - 1_000);
  });
});

describe('an entry of more than 1,000 places', () => {
  const GROUPS = 1_000;
  const groups = Array.from({ length: GROUPS }, (_, index) => `group-${index}`);
  const HOME = { userIds: ['ben'], workspaces: ['home'] };

  beforeAll(async () => {
    const { directory } = service;
    await directory.clear();
    await directory.user('ben');
    await directory.workspace('home');
    await query(
      `INSERT INTO groups (id, name, workspace_key)
       SELECT 'group-' || n, 'G', key FROM workspaces, generate_series(0, ${GROUPS - 1}) AS n WHERE id = 'home'`,
    );
  });

  type Ends = { workspaces: Record<string, string | null>; groups: Record<string, string | null> };
  const size = (entries: JournalEntryDto[], endsOf: (entry: JournalEntryDto) => Ends) => {
    const all: Ends = { workspaces: {}, groups: {} };
    for (const entry of entries) {
      const ends = endsOf(entry);
      const count = Object.keys(ends.workspaces).length + Object.keys(ends.groups).length;
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(1_000);
      Object.assign(all.workspaces, ends.workspaces);
      Object.assign(all.groups, ends.groups);
    }
    return all;
  };
  const everywhere = (end: string | null): Ends => ({
    workspaces: { home: end },
    groups: Object.fromEntries(groups.map((group) => [group, end])),
  });
  const assign = (until?: string) =>
    service.app.get(AssignWorkspacesService).execute({ ...HOME, groups, ...(until && { until }) }, ACT);
  const unassign = (until?: string) =>
    service.app.get(UnassignUsersService).execute({ ...HOME, ...(until && { until }) }, ACT);
  /** The entries of the newest request. */
  async function newest(action: string, count: number): Promise<JournalEntryDto[]> {
    const entries = await newestEntries(service.dataSource, count);
    expect(entries.map((entry) => entry.action)).toEqual(Array.from({ length: count }, () => action));
    return entries;
  }
  const facts = (entry: JournalEntryDto, side: 'before' | 'after') => entry[side] as { until: Ends } & Ends;

  it('is cut with its ends', async () => {
    await assign(HOUR);
    const assigned = await newest('user.workspaces.assigned', 2);
    expect(size(assigned, (entry) => facts(entry, 'after').until)).toEqual(everywhere(HOUR));
    await assign(DAY);
    const extended = await newest('user.workspaces.extended', 3);
    expect(size(extended, (entry) => facts(entry, 'before'))).toEqual(everywhere(HOUR));
    expect(size(extended, (entry) => facts(entry, 'after'))).toEqual(everywhere(DAY));
    await unassign(HOUR);
    const shortened = await newest('user.workspaces.shortened', 3);
    expect(size(shortened, (entry) => facts(entry, 'after'))).toEqual(everywhere(HOUR));
    await unassign();
    const unassigned = await newest('user.workspaces.unassigned', 2);
    expect(size(unassigned, (entry) => facts(entry, 'before').until)).toEqual(everywhere(HOUR));
    for (const entry of [...assigned, ...extended, ...shortened, ...unassigned])
      expect(entry.workspaces).toEqual(['home']);
  });
});
