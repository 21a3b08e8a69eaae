import type { JournalEntry, JournalFilter } from '@user-administration/client';
import { service } from '../service.ts';
import { isOfOneAct, TELLING } from './acts.ts';

/** The largest pages of the journal: without the facts of its entries, and with them. */
const BRIEF = 10_000;
const PAGE = 200;

interface Read {
  items: JournalEntry[];
  next: string | null;
}

/** The next page that has entries, and the rest of its last act, so that an act is never cut: one of 10,000 people would fill hundreds of pages. */
export async function olderPage(filter: JournalFilter, cursor: string | undefined, signal: AbortSignal): Promise<Read> {
  for await (const page of service.journal.list({ ...filter, cursor }, { signal }).pages()) {
    if (page.items.length === 0 && page.next !== null) continue;
    const last = page.items.at(-1);
    if (page.next === null || !last) return page;
    const rest = await readRest(filter, last, signal);
    return { items: [...page.items, ...(await withFacts(rest.items, filter, signal))], next: rest.next };
  }
  return { items: [], next: null };
}

async function readRest(filter: JournalFilter, last: JournalEntry, signal: AbortSignal): Promise<Read> {
  const items: JournalEntry[] = [];
  for (let limit = PAGE; ; limit = BRIEF) {
    const cursor = items.at(-1)?.id ?? last.id;
    const { value } = await service.journal
      .list({ ...filter, cursor, limit, brief: true }, { signal })
      .pages()
      .next();
    for (const entry of value?.items ?? []) {
      if (!isOfOneAct(entry, last)) return { items, next: items.at(-1)?.id ?? last.id };
      items.push(entry);
    }
    if (!value || value.next === null) return { items, next: null };
  }
}

/** What says what was done, such as the name of a file, stands at the beginning of its act, which was read without facts. */
async function withFacts(items: JournalEntry[], filter: JournalFilter, signal: AbortSignal): Promise<JournalEntry[]> {
  const telling = items.filter(({ action }) => TELLING.includes(action));
  const action = [...new Set(telling.map((entry) => entry.action))];
  const { at } = telling[0] ?? {};
  if (at === undefined) return items;
  const { value } = await service.journal
    .list({ ...filter, action, ...momentOf(at), limit: PAGE }, { signal })
    .pages()
    .next();
  const whole = new Map(value?.items.map((entry) => [entry.id, entry]));
  return items.map((entry) => whole.get(entry.id) ?? entry);
}

const momentOf = (at: string) => ({ from: at, to: new Date(Date.parse(at) + 1).toISOString() });

/** The entries of an act with their facts, page by page. */
export async function* entriesOfAct(of: JournalEntry, signal: AbortSignal): AsyncGenerator<JournalEntry[], void> {
  const filter = { ...momentOf(of.at), limit: PAGE };
  for await (const { items } of service.journal.list(filter, { signal }).pages()) {
    const mine = items.filter((entry) => entry.id === of.id || isOfOneAct(entry, of));
    if (mine.length > 0) yield mine;
  }
}
