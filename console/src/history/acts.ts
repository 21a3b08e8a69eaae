import type { JournalEntry } from '@user-administration/client';
import { after, before, type Facts, listOf } from './facts.ts';

type Action = JournalEntry['action'];

/** What one transaction has written, newest first: one line of the history. */
export interface Act {
  /** Stays while further entries of it arrive. */
  key: string;
  entries: readonly JournalEntry[];
  /** The entry that says what was done; the others follow from it, or are the same for others. */
  main: JournalEntry;
  /** The people to whom the same was done; 0 if it was several things. */
  people: number;
  isUndoable: boolean;
  /** Something newer has done the opposite to the same people. */
  isUndone: boolean;
}

/** What somebody did comes before what followed from it: of the entries of an act, the first of these is told. */
const TOLD_FIRST: readonly Action[] = [
  'directory.imported',
  'user.erased',
  'workspace.deleted',
  'group.deleted',
  'permission.deleted',
  'scim_connection.deleted',
  'user.deleted',
  'user.renamed',
  'workspace.created',
  'group.created',
  'permission.created',
  'user.created',
  'permission.updated',
  'workspace.permissions.changed',
  'group.permissions.changed',
  'user.permissions.changed',
  'user.status.changed',
  'user.workspaces.unassigned',
  'user.workspaces.assigned',
  'user.workspaces.extended',
  'user.workspaces.shortened',
  'workspace.updated',
  'group.updated',
  'user.updated',
  'user.type.changed',
];

/** Those that tell of more than the people after them, by facts of their own. */
export const TELLING: readonly Action[] = TOLD_FIRST.slice(0, TOLD_FIRST.indexOf('user.status.changed'));

/** Any other action says least: a connection of the demo directory, or what a newer version of the service writes. */
const rankOf = ({ action }: JournalEntry): number =>
  TOLD_FIRST.includes(action) ? TOLD_FIRST.indexOf(action) : TOLD_FIRST.length;

/** The actions that the service can undo. */
const UNDOABLE: readonly Action[] = [
  'user.workspaces.assigned',
  'user.workspaces.unassigned',
  'user.workspaces.extended',
  'user.workspaces.shortened',
  'user.status.changed',
];
const canBeUndone = ({ action }: JournalEntry): boolean => UNDOABLE.includes(action);

/** The system carries out an end that somebody has set. */
export const isOfEnd = ({ actor }: Pick<JournalEntry, 'actor'>): boolean =>
  actor.kind === 'system' && actor.id === 'user-admin expiry';

/** One transaction has one time. Ends that came together have nothing to do with each other, and are undone for one person. */
export const isOfOneAct = (one: JournalEntry, other: JournalEntry): boolean =>
  one.at === other.at &&
  one.requestId === other.requestId &&
  one.actor.kind === other.actor.kind &&
  one.actor.id === other.actor.id &&
  (!isOfEnd(one) || one.user === other.user);

const OPPOSITES: Readonly<Record<string, string>> = {
  'user.workspaces.assigned': 'user.workspaces.unassigned',
  'user.workspaces.unassigned': 'user.workspaces.assigned',
  'user.status.changed active': 'user.status.changed inactive',
  'user.status.changed inactive': 'user.status.changed active',
};

/** What was done: a change of status says which. */
export const kindOfAct = ({ main }: Pick<Act, 'main'>): string =>
  main.action === 'user.status.changed' ? `${main.action} ${String(after(main).status)}` : main.action;

const known = new WeakMap<JournalEntry, Act>();

/** Groups entries, newest first, by what one transaction has written. */
export function actsOf(entries: readonly JournalEntry[]): Act[] {
  const runs: JournalEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run?.[0] && isOfOneAct(run[0], entry)) run.push(entry);
    else runs.push([entry]);
  }
  const newer = new Set<string>();
  return runs.map((run) => {
    const act = actOf(run);
    const [own, opposite] = signsOf(act);
    const isUndone = act.isUndoable && newer.has(opposite);
    newer.add(own);
    return keep(isUndone === act.isUndone ? act : { ...act, isUndone });
  });
}

/** The same object as long as nothing about it changes: its row is then not drawn again. */
function keep(act: Act): Act {
  const [first] = act.entries;
  const kept = first && known.get(first);
  if (kept && kept.entries.length === act.entries.length && kept.isUndone === act.isUndone) return kept;
  if (first) known.set(first, act);
  return act;
}

function actOf(entries: readonly JournalEntry[]): Act {
  const rank = Math.min(...entries.map(rankOf));
  // Of several, one that was read with its facts.
  const same = entries.filter((entry) => rankOf(entry) === rank);
  const main = (same.findLast((entry) => entry.workspaces.length > 0) ?? same.at(-1)) as JournalEntry;
  const kind = kindOfAct({ main });
  const causes = entries.filter(({ action }) => action !== 'user.type.changed');
  const isOneKind = causes.every((each) => kindOfAct({ main: each }) === kind);
  return {
    key: entries.at(-1)?.id ?? '',
    entries,
    main,
    people: isOneKind ? new Set(causes.flatMap(({ user }) => user ?? [])).size : 0,
    isUndoable: undoableIn(entries, main).length > 0,
    isUndone: false,
  };
}

/** What undoing this would take back. Only the service knows for certain what is left of it. */
function undoableIn(entries: readonly JournalEntry[], main: JournalEntry): JournalEntry[] {
  if (entries.some(({ erased }) => erased)) return [];
  const isUndone = ({ action }: JournalEntry) =>
    action === 'user.type.changed' || (action === 'user.updated' && isOfEnd(main));
  const found = entries.filter(canBeUndone);
  if (main.action !== 'directory.imported')
    return entries.every((entry) => canBeUndone(entry) || isUndone(entry)) ? found : [];
  const made = new Set(entries.flatMap(({ action, user }) => (action === 'user.created' ? (user ?? []) : [])));
  return found.filter(({ user }) => user !== null && !made.has(user));
}

/** The message of an act, and the act that is its opposite. Of an import: what undoing it takes back. */
function signsOf({ entries, main }: Act): [string, string] {
  const undoable = undoableIn(entries, main);
  const rank = Math.min(...undoable.map(rankOf));
  const [first] = undoable.filter((entry) => rankOf(entry) === rank);
  if (!first) return [main.id, ''];
  const kind = kindOfAct({ main: first });
  const mine = undoable.filter((entry) => kindOfAct({ main: entry }) === kind);
  const users = mine
    .map(({ user }) => user)
    .sort()
    .join('\n');
  const facts = first.action === 'user.status.changed' ? '' : placeSign(mine);
  return [`${kind} ${facts} ${users}`, `${OPPOSITES[kind] ?? '-'} ${facts} ${users}`];
}

const placeSign = (entries: readonly JournalEntry[]): string => {
  const { workspaces, groups } = placesOf(entries);
  return JSON.stringify([workspaces.sort(), groups.sort()]);
};

/** The places of an entry. Where ends were changed, these stand by the ids of the places. */
export function placesIn(entry: JournalEntry): Facts {
  if (entry.action === 'user.workspaces.unassigned') return before(entry);
  const facts = after(entry);
  if (!endsAreChangedBy(entry)) return facts;
  return { workspaces: Object.keys(facts.workspaces ?? {}), groups: Object.keys(facts.groups ?? {}) };
}

export const endsAreChangedBy = ({ action }: Pick<JournalEntry, 'action'>): boolean =>
  action === 'user.workspaces.extended' || action === 'user.workspaces.shortened';

/** All places of entries, as far as they name them: not everybody has joined or left the same. */
export function placesOf(entries: readonly JournalEntry[]): { workspaces: string[]; groups: string[] } {
  const all = (name: string) => [...new Set(entries.flatMap((entry) => listOf(placesIn(entry), name)))];
  return { workspaces: all('workspaces'), groups: all('groups') };
}

/** Whom an act concerns, besides the person whom its line names. */
export const othersIn = ({ entries, main }: Act): number =>
  new Set(entries.flatMap(({ user }) => (user === null || user === main.user ? [] : [user]))).size;

/** How many of its entries have this action, besides the one that its line tells. */
export const countOf = ({ entries, main }: Act, action: Action): number =>
  entries.filter((entry) => entry !== main && entry.action === action).length;

/** Whether an entry is about one of these places, with an end. */
export function setsEnd(entry: JournalEntry, left: Facts): boolean {
  const ends = (endsAreChangedBy(entry) ? after(entry) : after(entry).until) as Facts | undefined;
  return (['workspaces', 'groups'] as const).some((kind) => {
    const told = Object.entries(Object(ends?.[kind]) as object);
    const mine = listOf(placesIn(entry), kind).filter((id) => listOf(left, kind).includes(id));
    return mine.some((id) => told.some(([place, end]) => place === id && end !== null));
  });
}
