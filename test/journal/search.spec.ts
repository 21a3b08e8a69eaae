import type { JournalAction } from '../../src/contract/journal';
import type { JournalEntryDto } from '../../src/journal/dto/journal-page.dto';
import { Journal } from '../../src/journal/journal';
import { Statements } from '@user-administration/postgres';
import type { JournalFilter } from '../../src/journal/journal-filter';
import { FollowerCursor } from '../../src/journal/follower-cursor';
import { JournalReader } from '../../src/journal/journal-reader';
import type { Span } from '../../src/journal/journal-search';
import type { Head } from '../../src/journal/seal-journal';
import type { NewEntry } from '../../src/journal/new-entry';
import { asJudged } from '../support/as-judged';
import { SeededRandom } from '../races/seeded-random';
import { querySealed } from '../support/sealed';
import { useMigratedDatabase } from '../support/migrated-database';

const USERS = ['ann', 'ben', 'cyd', 'dee', 'eve'];
const WORKSPACES = ['atlas', 'borealis', 'cosmos'];
const ACTORS = ['ada', 'zoe'];
const ACTIONS = ['user.workspaces.assigned', 'user.workspaces.unassigned', 'workspace.permissions.changed'] as const;
const ACTS = 40;
const SEARCHES = 40;

const random = new SeededRandom(42);
const database = useMigratedDatabase();
let reader: JournalReader;
let head: Head;
/** Newest first. */
let all: JournalEntryDto[];

interface EntryRow {
  id: string;
  at: Date;
  action: JournalAction;
  actor_kind: 'user';
  actor_id: string;
  user_id: string | null;
  workspace_ids: string[];
  after: JournalEntryDto['after'];
}

/** Of none, one or several users and workspaces, often with the same facts, so that many of them are one change. */
function entries(): NewEntry[] {
  const action = random.pick(ACTIONS);
  const users = action === 'workspace.permissions.changed' ? [undefined] : random.some(USERS);
  return users.map((user): NewEntry => {
    const workspaces = random.below(3) === 0 ? [] : random.some(WORKSPACES);
    return { action, user, workspaces, after: { permissions: [] } } as NewEntry;
  });
}

beforeAll(async () => {
  reader = new JournalReader(new Statements(database.dataSource));
  for (let act = 0; act < ACTS; act++) {
    const attribution = { actor: { kind: 'user', id: random.pick(ACTORS) } } as const;
    await database.dataSource.transaction((manager) =>
      new Journal().append(manager, asJudged(attribution), [...entries(), ...entries()]),
    );
  }
  const rows: EntryRow[] = await querySealed(
    database.dataSource,
    `SELECT id, at, action, actor_kind, actor_id, user_id, workspace_ids, after
     FROM journal_entries ORDER BY id DESC`,
  );
  [head] = await database.dataSource.query<[Head]>(
    `SELECT position::float8 AS position, encode(hash, 'hex') AS hash, 0 AS pruned FROM journal_head`,
  );
  all = rows.map(({ id, at, action, actor_kind, actor_id, user_id, workspace_ids, after }) => ({
    id,
    at: at.toISOString(),
    action,
    actor: { kind: actor_kind, id: actor_id },
    grantedBy: null,
    user: user_id,
    workspaces: workspace_ids,
    before: null,
    after,
    reason: null,
    requestId: null,
  }));
});

function fits(entry: JournalEntryDto, { user, workspace, actor, action, from, to }: JournalFilter): boolean {
  return (
    (user === undefined || entry.user === user) &&
    (workspace === undefined || entry.workspaces.includes(workspace)) &&
    (actor === undefined || entry.actor.id === actor) &&
    (action === undefined || action.includes(entry.action)) &&
    (from === undefined || entry.at >= from.toISOString()) &&
    (to === undefined || entry.at < to.toISOString())
  );
}

const maybe = <T>(value: T): T | undefined => (random.below(2) === 0 ? value : undefined);
const anyTime = (): Date => new Date(random.pick(all).at);

async function walk(filter: JournalFilter, isForward: boolean): Promise<JournalEntryDto[]> {
  const limit = 1 + random.below(40);
  const told: JournalEntryDto[] = [];
  for (let span: Span = { after: 0, until: head.position }; ;) {
    const { entries, end } = await reader.page(filter, span, limit, isForward);
    expect(entries.length).toBeLessThanOrEqual(limit);
    told.push(...entries);
    if (end === undefined) return told;
    const cursor = await reader.cursorAt(end, FollowerCursor.of(head));
    span = isForward ? await reader.spanAfter(cursor, head) : { ...span, until: end - 1 };
  }
}

it(`the pages of a filtered journal, backwards and forwards, have exactly the matching entries, with ${SEARCHES} random filters`, async () => {
  for (let search = 0; search < SEARCHES; search++) {
    const filter: JournalFilter = {
      user: maybe(random.pick(USERS)),
      workspace: maybe(random.pick(WORKSPACES)),
      actor: maybe(random.pick(ACTORS)),
      action: maybe<JournalAction[]>(random.some(ACTIONS)),
      from: maybe(maybe(anyTime())),
      to: maybe(maybe(anyTime())),
    };
    const expected = all.filter((entry) => fits(entry, filter));
    expect({ filter, told: await walk(filter, false) }).toEqual({ filter, told: expected });
    expect({ filter, told: await walk(filter, true) }).toEqual({ filter, told: expected.toReversed() });
  }
});
