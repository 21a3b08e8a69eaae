import type { JournalEntry } from '@user-administration/client';
import { Store } from '../ui/store.ts';

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
