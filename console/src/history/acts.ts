import type { JournalEntry } from '@user-administration/client';
import { after, before, type Facts, listOf } from './facts.ts';

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

/** The actions of requests that the service can undo, with the changes of types that follow from them. */
const UNDOABLE: readonly JournalEntry['action'][] = [
  'user.workspaces.assigned',
  'user.workspaces.unassigned',
  'user.workspaces.extended',
  'user.workspaces.shortened',
  'user.status.changed',
  'user.type.changed',
];

/** Whether undoing is worth offering. Only the service knows for certain: the request may have done other things as well. */
const mayBeUndone = ({ action }: JournalEntry): boolean => UNDOABLE.includes(action);

export const isOfOneAct = (one: JournalEntry, other: JournalEntry): boolean =>
  one.requestId !== null &&
  one.requestId === other.requestId &&
  one.at === other.at &&
  one.actor.kind === other.actor.kind &&
  one.actor.id === other.actor.id;

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

/** Groups entries by what one transaction has written. `isWhole`: each entry is a line, as in the history of a person. */
export function actsOf(entries: readonly JournalEntry[], isWhole: boolean): Act[] {
  const runs: JournalEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (!isWhole && run?.[0] && isOfOneAct(run[0], entry)) run.push(entry);
    else runs.push([entry]);
  }
  const newer = new Set<string>();
  return runs.map((run, index) => {
    const act = actOf(run, isWhole && isNeighbourOfOther(entries, index));
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
  if (kept && kept.entries.length === act.entries.length && kept.isUndone === act.isUndone) {
    if (kept.isUndoable === act.isUndoable) return kept;
  }
  if (first) known.set(first, act);
  return act;
}

function actOf(entries: readonly JournalEntry[], isPartOfOther: boolean): Act {
  const causes = entries.filter(({ action }) => action !== 'user.type.changed');
  // What was written first says what was done: a workspace was deleted, and its groups with it. That a record was changed says least.
  const [oldest] = causes.filter(({ action }) => !action.endsWith('.updated')).slice(-1);
  const erased = causes.find(({ action }) => action === 'user.erased');
  const main = erased ?? oldest ?? causes.at(-1) ?? (entries.at(-1) as JournalEntry);
  const kind = kindOfAct({ main });
  const isOneKind = causes.every((each) => kindOfAct({ main: each }) === kind);
  return {
    key: `${main.id} ${main.requestId ?? ''}`,
    entries,
    main,
    people: isOneKind ? new Set(causes.flatMap(({ user }) => user ?? [])).size : 0,
    isUndoable: entries.every(mayBeUndone) && !isPartOfOther,
    isUndone: false,
  };
}

/** Beside an entry of the same transaction that cannot be undone, nor can it. */
function isNeighbourOfOther(entries: readonly JournalEntry[], at: number): boolean {
  const mine = entries[at];
  const step = (by: number): boolean => {
    for (let next = at + by; ; next += by) {
      const entry = entries[next];
      if (!mine || !entry || !isOfOneAct(mine, entry)) return false;
      if (!mayBeUndone(entry)) return true;
    }
  };
  return step(1) || step(-1);
}

/** The message of an act, and the act that is its opposite. */
function signsOf(act: Act): [string, string] {
  const kind = kindOfAct(act);
  const facts = act.main.action === 'user.status.changed' ? '' : JSON.stringify(placesIn(act.main));
  const users = act.entries
    .flatMap(({ action, user }) => (action === 'user.type.changed' ? [] : (user ?? [])))
    .sort()
    .join('\n');
  return [`${kind} ${facts} ${users}`, `${OPPOSITES[kind] ?? '-'} ${facts} ${users}`];
}

/** The places of an entry. Where ends were changed, these stand by the ids of the places. */
export function placesIn(entry: JournalEntry): Facts {
  if (entry.action === 'user.workspaces.unassigned') return before(entry);
  const facts = after(entry);
  if (!endsAreChangedBy(entry)) return facts;
  return { workspaces: Object.keys(facts.workspaces ?? {}), groups: Object.keys(facts.groups ?? {}) };
}

export const endsAreChangedBy = ({ action }: JournalEntry): boolean =>
  action === 'user.workspaces.extended' || action === 'user.workspaces.shortened';

/** All places of an act, as far as its entries name them: not everybody has joined or left the same. */
export function placesOfAct({ entries }: Act): Facts {
  const all = (name: string) => [...new Set(entries.flatMap((entry) => listOf(placesIn(entry), name)))];
  return { workspaces: all('workspaces'), groups: all('groups') };
}
