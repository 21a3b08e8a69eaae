import type { JournalEntry } from '@user-administration/client';
import { service } from '../service.ts';
import { Store } from '../ui/store.ts';
import type { Direction } from './lines.ts';

/** The entry whose request somebody wants to undo. */
export const proposedUndoing = new Store<JournalEntry | undefined>(undefined);

/** The actions of requests that the service can undo, with the changes of types that follow from them. */
const UNDOABLE: readonly JournalEntry['action'][] = [
  'user.workspaces.assigned',
  'user.workspaces.unassigned',
  'user.status.changed',
  'user.type.changed',
];

/** Whether undoing is worth offering. Only the service knows for certain: the request may have done other things as well. */
export const mayBeUndone = ({ action }: JournalEntry): boolean => UNDOABLE.includes(action);

/** Opens the dialog that shows what undoing the request of this entry would change, and undoes it. */
export function undoRequest(entry: JournalEntry): void {
  proposedUndoing.set(entry);
}

const DIRECTIONS: Partial<Record<JournalEntry['action'], Direction>> = {
  'user.workspaces.assigned': 'leaves',
  'user.workspaces.unassigned': 'joins',
};
/** Entries of one request that are looked at. One that does many kinds of things is a small one. */
const LOOKED_AT = 200;

/** Whether undoing the request of this entry takes people out of places or brings them back, which its result does not tell. */
export async function directionOf({ at, requestId }: JournalEntry, signal?: AbortSignal): Promise<Direction> {
  const filter = { from: at, to: new Date(Date.parse(at) + 1).toISOString(), limit: LOOKED_AT };
  const { value } = await service.journal.list(filter, { signal }).pages().next();
  const all = (value?.items ?? []).filter((entry) => entry.requestId === requestId);
  const [direction, other] = new Set(all.flatMap(({ action }) => DIRECTIONS[action] ?? []));
  return direction && !other ? direction : 'moves';
}
