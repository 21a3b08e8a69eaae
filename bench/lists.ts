import { randomInt } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ConnectionPools } from '@user-administration/postgres';
import { ListCursor } from '../src/records/list-cursor';
import { ID_SORT, LIST_ORDERS, type ListSort, USER_SORTS } from '../src/records/list-orders';
import { GroupsController } from '../src/workspaces/groups.controller';
import { PermissionsController } from '../src/permissions/permissions.controller';
import { startTestService, type TestService } from '../test/support/test-service';
import { UserRecordsController } from '../src/users/user-records.controller';
import { WorkspacesController } from '../src/workspaces/workspaces.controller';
import type { BenchDatabase } from './bench-database';
import { cpuTimeOf } from './cpu-time';
import { FIRST_NAMES, GROUPS_PER_WORKSPACE, LAST_NAMES, WORKSPACES } from './lists-directory';
import { explained } from './plans';
import { quantile } from './statistics';

/** The most milliseconds of a list by one filter, and by two. */
const BOUND_MS = { one: 10, two: 100 };
const LIMIT = 50;
/** Where a page begins, as a share of the list: the first one, one in the middle, the last one. */
const PLACES = ['first', 'middle', 'last'] as const;

type Query = Record<string, unknown>;
type Place = (typeof PLACES)[number];
interface Known {
  id: string;
  created_at: Date;
  updated_at: Date;
  name_order: string;
}

const oneOf = (...texts: string[]) => texts[randomInt(texts.length)] ?? '';
const place = (from: number, to: number) => `workspace-${randomInt(from, to)}`;
const groupOf = (from: number, to: number) => `group-${randomInt(from, to)}-${randomInt(1, GROUPS_PER_WORKSPACE + 1)}`;

/** The values of each filter of users, by how many users they match. */
const FILTERS: Record<string, Record<string, () => string>> = {
  status: { most: () => 'active', few: () => 'inactive' },
  type: { most: () => 'member', some: () => oneOf('manager', 'guest'), few: () => 'administrator' },
  workspace: {
    most: () => 'workspace-1',
    some: () => place(2, 100),
    few: () => place(100, WORKSPACES),
    none: () => `workspace-${WORKSPACES}`,
  },
  group: {
    most: () => 'group-1-1',
    some: () => groupOf(2, 100),
    few: () => groupOf(100, WORKSPACES),
    none: () => 'group-1-2',
  },
  permission: {
    most: () => 'permission-1',
    some: () => `permission-${randomInt(2, 19)}`,
    few: () => 'permission-20',
    none: () => 'permission-19',
  },
  search: {
    most: () => oneOf('@example', '.com', 'example-'),
    some: () => oneOf(...FIRST_NAMES, ...LAST_NAMES),
    few: () => `${oneOf(...FIRST_NAMES)}.${oneOf(...LAST_NAMES)}${randomInt(1_000, 10_000)}`,
    none: () => oneOf('nobody', 'xyzzy plugh', '100%', 'a_b_c', '\\\\\\', 'ada%abara'),
  },
};

/** A kind of list, and how a query of it is drawn. */
interface Case {
  title: string;
  bound?: number;
  list: string;
  draw: (known: readonly Known[]) => Query;
}

function cases(): Case[] {
  const all: Case[] = [{ title: 'all', list: 'users', draw: () => ({}) }];
  all.push({ title: '100 ids', list: 'users', draw: (known) => ({ id: known.slice(0, 100).map(({ id }) => id) }) });
  const values = Object.entries(FILTERS).flatMap(([filter, kinds]) =>
    Object.entries(kinds).map(([kind, draw]) => ({ filter, title: `${filter}: ${kind}`, draw })),
  );
  for (const [index, one] of values.entries()) {
    all.push({ title: one.title, list: 'users', draw: () => ({ [one.filter]: one.draw() }) });
    for (const other of values.slice(index + 1)) {
      if (other.filter === one.filter) continue;
      const draw = () => ({ [one.filter]: one.draw(), [other.filter]: other.draw() });
      all.push({ title: `${one.title}, ${other.title}`, list: 'users', draw, bound: BOUND_MS.two });
    }
  }
  for (const list of ['workspaces', 'groups', 'permissions']) {
    all.push({ title: list, list, draw: () => ({}) });
    for (const search of [list.slice(0, -1), '999', 'nothing'] as const) {
      all.push({ title: `${list}, search: ${search}`, list, draw: () => ({ search }) });
    }
  }
  all.push({ title: 'groups, workspace', list: 'groups', draw: () => ({ workspace: place(1, WORKSPACES) }) });
  all.push({ title: 'permissions, grants', list: 'permissions', draw: () => ({ grants: 'manager' }) });
  return all;
}

/** A page that was read, and its milliseconds: of all its statements, and of CPU time in the database. */
interface Page {
  list: string;
  query: Query;
  elapsed: number;
  cpu: number;
  /** Whether it ended before it was full, although others follow. */
  isShort: boolean;
}

/**
 * Calls the very services of the list routes, and adds up how long their statements take. CPU time is that of the server's
 * process, which Linux tells for a server on this machine: other work on the machine does not lengthen it.
 */
class Lists {
  private elapsed = 0;

  private constructor(
    private readonly service: TestService,
    private readonly known: readonly Known[],
    private readonly backend: number,
  ) {
    service.app.get(ConnectionPools).onAnswered = (seconds) => (this.elapsed += seconds * 1000);
  }

  static async open(database: BenchDatabase): Promise<Lists> {
    const service = await startTestService({ database: { url: database.url, poolSize: 1 } });
    const [row]: { backend: number }[] = await service.dataSource.query('SELECT pg_backend_pid() AS backend');
    return new Lists(service, await someUsers(service.dataSource), row?.backend ?? 0);
  }

  close(): Promise<void> {
    return this.service.close();
  }

  async measure({ list, draw }: Case, calls: number): Promise<Page[]> {
    const pages: Page[] = [];
    for (let call = 0; call < calls; call++) {
      const sorts = list === 'users' ? USER_SORTS : ID_SORT;
      const narrowing = { ...draw(this.known), sort: sorts[call % sorts.length] ?? 'id' };
      const cursor = this.cursor(list, narrowing, PLACES[call % PLACES.length] ?? 'first');
      const query = { ...narrowing, limit: LIMIT, ...cursor };
      const before = cpuTimeOf(this.backend);
      this.elapsed = 0;
      const { [list]: records, next } = await this.ask(list, query);
      const isShort = next !== null && (records as unknown[]).length < LIMIT;
      pages.push({ list, query, elapsed: this.elapsed, cpu: cpuTimeOf(this.backend) - before, isShort });
    }
    return pages;
  }

  /** Reads a page again. @returns its statements and their plans */
  plansOf({ list, query }: Page): Promise<string> {
    return explained(this.service.dataSource, () => this.ask(list, query));
  }

  private cursor(list: string, narrowing: Query & { sort: ListSort }, place: Place): { cursor?: string } {
    if (place === 'first') return {};
    const { column, descending, isValue } = LIST_ORDERS[narrowing.sort];
    const valueOf = (user: Known) => user[(column ?? 'id') as keyof Known];
    const sorted = this.known.toSorted((one, other) => (valueOf(one) < valueOf(other) ? -1 : 1));
    const user = place === 'middle' ? sorted[randomInt(sorted.length)] : sorted.at(descending ? 0 : -1);
    if (!user) return {};
    const value = valueOf(user);
    const detail = column ? (value instanceof Date ? value.toISOString() : value) : undefined;
    return { cursor: new ListCursor([list, narrowing], isValue).write({ id: user.id, ...(detail && { detail }) }) };
  }

  private ask(list: string, query: Query): Promise<Query> {
    const { app } = this.service;
    const routes: Record<string, (query: never) => Promise<object>> = {
      users: (query) => app.get(UserRecordsController).listUsers(query),
      workspaces: (query) => app.get(WorkspacesController).listWorkspaces(query),
      groups: (query) => app.get(GroupsController).listGroups(query),
      permissions: (query) => app.get(PermissionsController).listPermissions(query),
    };
    return (
      (routes[list]?.(query as never) as Promise<Query> | undefined) ??
      Promise.reject(new Error(`There is no list ${list}.`))
    );
  }
}

async function someUsers(dataSource: DataSource): Promise<Known[]> {
  return dataSource.query<Known[]>(
    'SELECT id, created_at, updated_at, name_order FROM users WHERE key % (SELECT greatest(1, max(key) / 1000) FROM users) = 1',
  );
}

/**
 * Reads every list with each filter and each pair of filters, and tells which take longer than the bound.
 *
 * @param plans of so many lists, those that take the longest, the plans of the longest page are told, too
 */
export async function measureLists(database: BenchDatabase, calls: number, plans: number): Promise<string> {
  const lists = await Lists.open(database);
  try {
    const longest: { title: string; p95: number; bound: number; page: Page }[] = [];
    const lines = [
      '| users by, or other list | CPU ms: median | p95 | elapsed ms: median | p95 | short pages | p95 of CPU within the bound |',
      '| --- | --- | --- | --- | --- | --- | --- |',
    ];
    for (const each of cases()) {
      await lists.measure(each, PLACES.length * USER_SORTS.length);
      const pages = await lists.measure(each, calls);
      const [cpu, elapsed] = [spreadOf(pages, 'cpu'), spreadOf(pages, 'elapsed')];
      const figure = Number.isNaN(cpu.p95) ? 'elapsed' : 'cpu';
      const { p95 } = { cpu, elapsed }[figure];
      const { bound = BOUND_MS.one } = each;
      const page = pages.reduce((one, other) => (other[figure] > one[figure] ? other : one));
      longest.push({ title: each.title, p95, bound, page });
      const figures = [cpu.median, cpu.p95, elapsed.median, elapsed.p95].map((figure) => figure.toFixed(1));
      lines.push(
        `| ${[each.title, ...figures, pages.filter(({ isShort }) => isShort).length, p95 <= bound ? 'yes' : '**no**'].join(' | ')} |`,
      );
    }
    const missed = longest.filter(({ p95, bound }) => p95 > bound).length;
    lines.push(
      '',
      `${longest.length - missed} of ${longest.length} lists are within the bound: ${BOUND_MS.one} ms by one filter, ${BOUND_MS.two} ms by two.`,
    );
    for (const { title, page } of longest.toSorted((one, other) => other.p95 - one.p95).slice(0, plans)) {
      lines.push('', `### ${title}`, '', JSON.stringify(page.query), '', await lists.plansOf(page));
    }
    return ['L lists: the time of all statements of one page', '', ...lines, ''].join('\n');
  } finally {
    await lists.close();
  }
}

function spreadOf(pages: readonly Page[], figure: 'cpu' | 'elapsed'): { median: number; p95: number } {
  const sorted = pages.map((page) => page[figure]).toSorted((one, other) => one - other);
  return { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}
