import { useEffect, useRef, useState } from 'preact/hooks';
import type { JournalEntry, JournalFilter } from '@user-administration/client';
import { service } from '../service.ts';
import { keptRows } from '../ui/kept-place.ts';
import { follow } from './follow.ts';
import { olderPage } from './rest-of-act.ts';
import { arrive, type Rows, showWaiting } from './rows.ts';

const SLOW_MS = 3_000;

export interface Journal {
  /** Undefined before the first answer. */
  rows: Rows | undefined;
  error: unknown;
  isLoading: boolean;
  isSlow: boolean;
  /** Undefined before following has begun. */
  isLive: boolean | undefined;
  more(): void;
  showNew(): void;
  reload(): void;
}

/**
 * The journal, newest first, and what happens from now on. `isReading` returns whether new rows would move what somebody reads.
 */
export function useJournal(filter: JournalFilter, isReading: () => boolean): Journal {
  const [rows, setRows] = useState<Rows | undefined>(undefined);
  const [loading, setLoading] = useState<{ error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [isLive, setLive] = useState<boolean | undefined>(undefined);
  const [round, setRound] = useState(0);
  const scope = useRef(new AbortController());

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    scope.current = controller;
    setRows(undefined);
    setLoading({ isLoading: true });
    const kept = keptRows();
    const begin = async () => {
      // The cursor of the present comes first, so that nothing can happen in between.
      const now = await service.journal.now({ signal });
      const page = await pagesUpTo(kept, filter, signal);
      if (signal.aborted) return;
      setRows({ shown: page.items, waiting: [], next: page.next });
      setLoading({ isLoading: false });
      const arrived = (entries: JournalEntry[]) => setRows((rows) => rows && arrive(rows, entries, isReading()));
      await follow(filter, now, { arrived, live: setLive }, signal).catch(() => !signal.aborted && reload());
    };
    begin().catch((error: unknown) => !signal.aborted && setLoading({ error, isLoading: false }));
    return () => controller.abort();
  }, [JSON.stringify(filter), round]);

  const more = () => {
    const { signal } = scope.current;
    if (!rows?.next || loading.isLoading) return;
    setLoading({ isLoading: true });
    olderPage(filter, rows.next, signal).then(
      ({ items, next }) => {
        if (signal.aborted) return;
        setRows((rows) => rows && { ...rows, shown: [...rows.shown, ...items], next });
        setLoading({ isLoading: false });
      },
      (error: unknown) => !signal.aborted && setLoading({ error, isLoading: false }),
    );
  };
  const reload = () => setRound((round) => round + 1);
  const showNew = () => setRows((rows) => rows && showWaiting(rows));
  return { rows, ...loading, error: loading.error, isSlow: useSlow(loading.isLoading), isLive, more, showNew, reload };
}

/** The first page, and as many more as were there when one left: the way back leads to the same row. */
async function pagesUpTo(entries: number, filter: JournalFilter, signal: AbortSignal) {
  let page = await olderPage(filter, undefined, signal);
  while (page.items.length < entries && page.next !== null) {
    const { items, next } = await olderPage(filter, page.next, signal);
    page = { items: [...page.items, ...items], next };
  }
  return page;
}

function useSlow(isLoading: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = isLoading ? setTimeout(() => setSlow(true), SLOW_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isLoading]);
  return isSlow;
}
