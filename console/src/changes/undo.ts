import type { JournalEntry } from '@user-administration/client';
import type { Act } from '../history/acts.ts';
import { service } from '../service.ts';
import { Store } from '../ui/store.ts';
import type { Direction } from './result-sentences.ts';

/** The act that somebody wants to undo. */
export const proposedUndoing = new Store<Act | undefined>(undefined);

/** Opens the dialog that shows what undoing an act would change, and undoes it. */
export function undoRequest(act: Act): void {
  proposedUndoing.set(act);
}

/** Undoing this suspends people. */
export const suspends = ({ action, after }: JournalEntry): boolean =>
  action === 'user.status.changed' && after?.status === 'active';

const DIRECTIONS: Partial<Record<JournalEntry['action'], Direction>> = {
  'user.workspaces.assigned': 'leaves',
  'user.workspaces.unassigned': 'joins',
};
/** Entries of one request that are looked at. One that does many kinds of things is a small one. */
const LOOKED_AT = 200;

/** Whether undoing the request of this entry takes people out of places or brings them back, which its result does not contain. */
export async function directionOf({ at, requestId }: JournalEntry, signal?: AbortSignal): Promise<Direction> {
  const filter = { from: at, to: new Date(Date.parse(at) + 1).toISOString(), limit: LOOKED_AT };
  const { value } = await service.journal.list(filter, { signal }).pages().next();
  const all = (value?.items ?? []).filter((entry) => entry.requestId === requestId);
  const [direction, other] = new Set(all.flatMap(({ action }) => DIRECTIONS[action] ?? []));
  return direction && !other ? direction : 'moves';
}
