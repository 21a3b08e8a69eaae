import type { JournalEntry } from '@user-administration/client';
import { csvOf } from './csv.ts';
import { dayOf } from './days.ts';

/** Hands the entries to the browser as a file. */
export function saveCsv(entries: readonly JournalEntry[]): void {
  const address = URL.createObjectURL(new Blob([csvOf(entries)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `history-${dayOf(new Date())}.csv`;
  link.click();
  // The browser has taken the file by the next task.
  setTimeout(() => URL.revokeObjectURL(address));
}
