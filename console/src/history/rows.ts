import type { JournalEntry } from '@user-administration/client';

/** Entries on the page, newest first. */
export interface Rows {
  shown: readonly JournalEntry[];
  /** What happened while somebody read; it would move what they read. */
  waiting: readonly JournalEntry[];
  /** Where the next older page begins; null after the oldest entry. */
  next: string | null;
}

/** An import can write entries faster than anybody reads: no more stay on the page, unless somebody asked for older ones. */
const KEPT = 2_000;

/** Takes in what has just happened, oldest first. */
export function arrive(rows: Rows, entries: readonly JournalEntry[], isReading: boolean): Rows {
  const known = new Set([...rows.waiting, ...rows.shown.slice(0, KEPT)].map(({ id }) => id));
  const fresh = entries.filter(({ id }) => !known.has(id)).reverse();
  if (fresh.length === 0) return rows;
  const waiting = [...fresh, ...rows.waiting];
  return isReading ? { ...rows, waiting } : showWaiting({ ...rows, waiting });
}

export function showWaiting({ shown, waiting, next }: Rows): Rows {
  const all = [...waiting, ...shown];
  const kept = all.slice(0, Math.max(KEPT, shown.length));
  const last = kept.at(-1);
  return { shown: kept, waiting: [], next: kept.length < all.length && last ? last.id : next };
}
