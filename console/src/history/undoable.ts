import type { JournalEntry } from '@user-administration/client';
import { mayBeUndone } from '../changes/undo.ts';

/**
 * The entries whose undoing is worth offering: not where a neighbour of the same request shows that it did something else as well. What a
 * page does not show can still be such; the service tells it when it is asked.
 */
export function undoableAmong(entries: readonly JournalEntry[]): Set<string> {
  const found = new Set<string>();
  let run: JournalEntry[] = [];
  const endRun = () => {
    if (run.every(mayBeUndone)) for (const { id } of run) found.add(id);
    run = [];
  };
  for (const entry of entries) {
    if (run[0] && !isOfOneRequest(run[0], entry)) endRun();
    run.push(entry);
  }
  endRun();
  return found;
}

function isOfOneRequest(one: JournalEntry, other: JournalEntry): boolean {
  return one.requestId !== null && one.requestId === other.requestId && one.actor.id === other.actor.id;
}
