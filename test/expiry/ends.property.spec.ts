import { EndsClock } from '../../packages/testing/src/ends-clock';
import { ServiceError } from '../../src/contract/errors';
import { ImportRefused } from '../../src/plugins/transfer/import-error';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { Expiry } from '../../src/expiry/expiry';
import { AssignStatusesService } from '../../src/users/assign-statuses.service';
import { AssignWorkspacesService } from '../../src/users/assign-workspaces.service';
import { ChangeUserService } from '../../src/users/change-user.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { UndoRequestService } from '../../src/users/undo-request.service';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { falseTypes } from '../races/false-types';
import { SeededRandom } from '../races/seeded-random';
import { newestEntries } from '../support/sealed';
import { useTestService } from '../support/test-service';

const STEPS = 300;
const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;
const USERS = ['ada', 'ben', 'cyd', 'dee', 'eve', 'zoe'];
const WORKSPACES = ['atlas', 'borealis'];
const GROUPS = WORKSPACES.flatMap((workspace) => [`${workspace}-1`, `${workspace}-2`]);
const workspaceOf = (place: string) => place.split('-')[0] as string;

const HOUR = 3_600_000;
/** The clock shows whole hours after this time, and ends lie half an hour later. */
const START = Math.floor(Date.now() / 1000) * 1000;
const timeOf = (hour: number) => new Date(START + (hour + 0.5) * HOUR).toISOString();

const service = useTestService();
const query = <Rows>(statement: string, parameters: unknown[] = []) =>
  service.dataSource.query<Rows>(statement, parameters);

/**
 * What is read of the directory: for each membership (`ben atlas`) the hour at which it ends, `Infinity` without an end;
 * for each account whether it is active, and the hour at which it ends.
 */
interface State {
  memberships: Map<string, number>;
  accounts: Map<string, { active: boolean; until: number }>;
}

const hourOf = (end: Date | null) => (end ? (end.getTime() - START) / HOUR - 0.5 : Infinity);
const inOrder = <Value>(map: Map<string, Value>) => new Map([...map].sort(([one], [other]) => (one < other ? -1 : 1)));
const copyOf = ({ memberships, accounts }: State): State => ({
  memberships: inOrder(memberships),
  accounts: inOrder(accounts),
});

async function read(): Promise<State> {
  const memberships = await query<{ name: string; end: Date | null }[]>(
    `SELECT u.id || ' ' || m.id AS name, ends_at AS end FROM (
       SELECT user_key, ends_at, end_refused_at, w.id FROM workspace_memberships JOIN workspaces AS w ON w.key = workspace_key
       UNION ALL SELECT user_key, ends_at, end_refused_at, g.id FROM group_memberships JOIN groups AS g ON g.key = group_key
     ) AS m
     JOIN users AS u ON u.key = user_key WHERE NOT has_ended(m.ends_at, m.end_refused_at)`,
  );
  const accounts = await query<{ id: string; active: boolean; end: Date | null }[]>(
    `SELECT id, status = 'active' AND NOT has_ended(active_until, end_refused_at) AS active,
       CASE WHEN NOT has_ended(active_until, end_refused_at) THEN active_until END AS end FROM users`,
  );
  return copyOf({
    memberships: new Map(memberships.map(({ name, end }) => [name, hourOf(end)])),
    accounts: new Map(accounts.map(({ id, active, end }) => [id, { active, until: hourOf(end) }])),
  });
}

class Walk {
  readonly done = new Map<string, number>();
  private hour = 0;
  private wanted!: State;
  private readonly clock = new EndsClock(service.dataSource);
  private step = 0;

  constructor(private readonly random: SeededRandom) {}

  async run(): Promise<void> {
    this.wanted = await read();
    for (this.step = 0; this.step < STEPS; this.step++) {
      const before = copyOf(this.wanted);
      const [newest] = await newestEntries(service.dataSource, 1);
      const act = this.random.pick([
        this.assign,
        this.assign,
        this.unassign,
        this.setStatus,
        this.setActiveUntil,
        this.load,
        this.pass,
        this.carryOut,
        this.undoAny,
      ]);
      const isDone = await this.attempt(act);
      await this.judge(act.name);
      const [entry] = await newestEntries(service.dataSource, 1);
      const isUndoable = act === this.assign || act === this.unassign || act === this.setStatus;
      if (isDone && isUndoable && entry && entry.id !== newest?.id && this.random.below(2))
        await this.undo(entry.id, before);
    }
  }

  private until(): number {
    return this.random.below(2) ? this.hour + this.random.below(6) : Infinity;
  }

  /** The last administrator may not go. Then nothing has changed. */
  private async attempt(act: () => Promise<void>): Promise<boolean> {
    const before = copyOf(this.wanted);
    try {
      await act.call(this);
      this.done.set(act.name, (this.done.get(act.name) ?? 0) + 1);
      return true;
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.code === 'directory.last_administrator';
      if (!isRefused && !(error instanceof ImportRefused)) throw error;
      this.done.set('refused', (this.done.get('refused') ?? 0) + 1);
      this.wanted = before;
      return false;
    }
  }

  private lists() {
    const [userIds, workspaces] = [this.random.some(USERS), this.random.some(WORKSPACES)];
    const groups = this.random.below(2)
      ? this.random.some(GROUPS.filter((group) => workspaces.includes(workspaceOf(group))))
      : [];
    return { userIds, workspaces, groups };
  }

  private async assign(): Promise<void> {
    const [lists, until] = [this.lists(), this.until()];
    for (const user of lists.userIds)
      for (const place of [...lists.workspaces, ...lists.groups]) {
        const name = `${user} ${place}`;
        this.wanted.memberships.set(name, Math.max(this.wanted.memberships.get(name) ?? 0, until));
      }
    await service.app
      .get(AssignWorkspacesService)
      .execute({ ...lists, ...(until < Infinity && { until: timeOf(until) }) }, ACT);
  }

  private async unassign(): Promise<void> {
    const [{ userIds, workspaces, groups }, until] = [this.lists(), this.until()];
    const isMeant = (place: string) =>
      groups.length > 0 ? groups.includes(place) : workspaces.includes(workspaceOf(place));
    for (const [name, end] of this.wanted.memberships) {
      const [user, place] = name.split(' ') as [string, string];
      if (!userIds.includes(user) || !isMeant(place)) continue;
      if (until < Infinity) this.wanted.memberships.set(name, Math.min(end, until));
      else this.wanted.memberships.delete(name);
    }
    await service.app
      .get(UnassignUsersService)
      .execute({ userIds, workspaces, groups, ...(until < Infinity && { until: timeOf(until) }) }, ACT);
  }

  private async setStatus(): Promise<void> {
    const [userIds, status] = [this.random.some(USERS), this.random.pick(['active', 'inactive'] as const)];
    for (const user of userIds) {
      const { until } = this.wanted.accounts.get(user)!;
      this.wanted.accounts.set(user, { active: status === 'active', until });
    }
    await service.app.get(AssignStatusesService).execute({ userIds, status }, ACT);
  }

  private async setActiveUntil(): Promise<void> {
    const [user, until] = [this.random.pick(USERS), this.until()];
    this.wanted.accounts.set(user, { ...this.wanted.accounts.get(user)!, until });
    await service.app
      .get(ChangeUserService)
      .execute(user, { activeUntil: until < Infinity ? timeOf(until) : null }, ACT);
  }

  /** An import of one user, who is then in these places alone: some as before, others with an end or without. */
  private async load(): Promise<void> {
    const { workspaces, groups } = this.lists();
    const user = this.random.pick(USERS);
    const ends = new Map<string, number>();
    const list = (places: string[]) =>
      places.map((place) => {
        const name = `${user} ${place}`;
        const kept = this.wanted.memberships.get(name) ?? Infinity;
        const isExact = this.random.below(2) > 0;
        const until = isExact ? this.until() : kept;
        ends.set(name, Math.min(until, ends.get(`${user} ${workspaceOf(place)}`) ?? until));
        return isExact ? { id: place, until: until < Infinity ? timeOf(until) : null } : place;
      });
    const record: Record<string, unknown> = { id: user, workspaces: list(workspaces), groups: list(groups) };
    for (const name of this.wanted.memberships.keys())
      if (name.startsWith(`${user} `)) this.wanted.memberships.delete(name);
    for (const [name, end] of ends) this.wanted.memberships.set(name, end);
    const account = { ...this.wanted.accounts.get(user)! };
    if (this.random.below(2)) {
      account.active = this.random.below(2) > 0;
      record.status = account.active ? 'active' : 'inactive';
    }
    if (this.random.below(2)) {
      account.until = this.until();
      record.activeUntil = account.until < Infinity ? timeOf(account.until) : null;
    }
    this.wanted.accounts.set(user, account);
    await importDirectory(service.dataSource, [JSON.stringify({ user: record })], ACT, {
      userTypes: service.app.get(UserTypeService),
    });
  }

  private async pass(): Promise<void> {
    this.hour += 1 + this.random.below(3);
    await this.clock.set(this.hour * 3600);
    const { memberships, accounts } = this.wanted;
    const refused = await this.refused();
    for (const [name, end] of memberships) if (end < this.hour && !refused.has(name)) memberships.delete(name);
    for (const [user, { until }] of accounts)
      if (until < this.hour && !refused.has(user)) accounts.set(user, { active: false, until: Infinity });
  }

  private async carryOut(): Promise<void> {
    const tried = await this.overdue(`end_refused_at > ends_clock() - interval '1 minute'`);
    await service.app.get(Expiry).carryOut();
    const left = (await this.overdue()).filter((name) => !tried.includes(name));
    const administrators = await this.administrators();
    // Only what would leave no active administrator is left.
    expect([this.step, left.filter((name) => name.split(' ')[0] !== administrators[0])]).toEqual([this.step, []]);
    if (left.length > 0) expect(administrators).toHaveLength(1);
    this.wanted = await read();
  }

  private async undoAny(): Promise<void> {
    const entries = await newestEntries(service.dataSource, 12);
    const entry = entries[this.random.below(entries.length)];
    if (!entry) return;
    await service.app
      .get(UndoRequestService)
      .execute(entry.id, {}, ACT)
      .catch((error: unknown) => {
        if (!(error instanceof ServiceError && error.code === 'journal.not_undoable')) throw error;
      });
    this.wanted = await read();
  }

  /** The newest request is undone exactly, but for an end that has passed and was refused. */
  private async undo(entry: string, before: State): Promise<void> {
    const hasPassed = [...before.memberships.values()].some((end) => end < this.hour);
    const isDone = await this.attempt(async function undoNewest() {
      await service.app.get(UndoRequestService).execute(entry, {}, ACT);
    });
    if (isDone) this.wanted = hasPassed ? await read() : before;
    await this.judge('undo');
  }

  private async judge(act: string): Promise<void> {
    const told = await read();
    expect([this.step, act, told]).toEqual([this.step, act, copyOf(this.wanted)]);
    expect([this.step, act, await falseTypes(service.dataSource)]).toEqual([this.step, act, []]);
    const outlasting = await query<object[]>(
      `SELECT u.id FROM group_memberships AS g JOIN workspace_memberships AS w USING (user_key, workspace_key)
       JOIN users AS u ON u.key = user_key WHERE w.ends_at < COALESCE(g.ends_at, 'infinity')`,
    );
    expect([this.step, act, outlasting]).toEqual([this.step, act, []]);
    expect((await this.administrators(true)).length).toBeGreaterThan(0);
  }

  /** Active administrators: those whose end has not been carried out, or not even passed. */
  private async administrators(isRow = false): Promise<string[]> {
    const rows = await query<{ id: string }[]>(
      `SELECT id FROM users WHERE type = 'administrator' AND status = 'active'
         AND ($1 OR NOT has_ended(active_until, end_refused_at)) ORDER BY id`,
      [isRow],
    );
    return rows.map(({ id }) => id);
  }

  /** Accounts and memberships whose end has passed. */
  private async overdue(condition = 'true'): Promise<string[]> {
    const rows = await query<{ name: string }[]>(
      `SELECT id AS name FROM users WHERE active_until <= ends_clock() AND ${condition}
       UNION ALL SELECT u.id || ' ' || w.id FROM workspace_memberships AS m JOIN users AS u ON u.key = user_key
         JOIN workspaces AS w ON w.key = workspace_key WHERE ends_at <= ends_clock() AND ${condition.replaceAll('end_', 'm.end_')}
       UNION ALL SELECT u.id || ' ' || g.id FROM group_memberships AS m JOIN users AS u ON u.key = user_key
         JOIN groups AS g ON g.key = group_key WHERE ends_at <= ends_clock() AND ${condition.replaceAll('end_', 'm.end_')}`,
    );
    return rows.map(({ name }) => name);
  }

  private async refused(): Promise<Set<string>> {
    return new Set(await this.overdue('end_refused_at IS NOT NULL'));
  }
}

beforeAll(async () => {
  // Only the test carries ends out.
  await service.app.get(Expiry).beforeApplicationShutdown();
  const { directory } = service;
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.permission('administer', 'administrator');
  for (const workspace of WORKSPACES) await directory.workspace(workspace, workspace === 'atlas' ? ['read'] : []);
  for (const group of GROUPS)
    await directory.group(group, workspaceOf(group), group.endsWith('1') ? ['manage'] : ['administer']);
  for (const user of USERS.slice(0, -1)) await directory.user(user);
  await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
});

it(`${STEPS} random changes keep every end`, async () => {
  const walk = new Walk(new SeededRandom(39));
  await walk.run();
  for (const act of ['assign', 'unassign', 'setStatus', 'setActiveUntil', 'load', 'pass', 'carryOut', 'undoAny'])
    expect([act, (walk.done.get(act) ?? 0) > STEPS / 20]).toEqual([act, true]);
  expect(walk.done.get('undoNewest')).toBeGreaterThan(STEPS / 20);
  expect(walk.done.get('refused')).toBeGreaterThan(0);
});
