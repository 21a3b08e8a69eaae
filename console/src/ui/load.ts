import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Page, Pages, Total } from '@user-administration/client';
import { directoryVersion } from '../directory-version.ts';
import { keptRows } from './kept-place.ts';
import { isSignedOut } from '../service-errors.ts';

const SLOW_MS = 3_000;

export interface Loaded<Value> {
  /** What was loaded last. It stays while something newer is loading, so that the page does not jump. */
  value: Value | undefined;
  /** The value is of the present inputs, and not of earlier ones. */
  isCurrent: boolean;
  error: unknown;
  isLoading: boolean;
  /** The answer takes long enough to say so. */
  isSlow: boolean;
  reload(): void;
}

/** Loads something, again whenever `inputs` change and after every change of the directory. An answer to earlier inputs is dropped. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload' | 'isCurrent'> & { of?: readonly unknown[] }>({
    value: undefined,
    error: undefined,
    isLoading: true,
    isSlow: false,
  });
  const [round, setRound] = useState(0);
  const version = directoryVersion.use();
  useEffect(() => {
    const controller = new AbortController();
    const slow = setTimeout(() => setState((state) => ({ ...state, isSlow: true })), SLOW_MS);
    setState((state) => ({ ...state, error: undefined, isLoading: true, isSlow: false }));
    load(controller.signal)
      .then(
        (value) =>
          !controller.signal.aborted &&
          setState({ value, of: inputs, error: undefined, isLoading: false, isSlow: false }),
        (error: unknown) =>
          // The dialog to sign in says it; then everything is loaded again.
          !controller.signal.aborted &&
          !isSignedOut(error) &&
          setState((state) => ({ ...state, error, isLoading: false, isSlow: false })),
      )
      .finally(() => clearTimeout(slow));
    return () => {
      clearTimeout(slow);
      controller.abort();
    };
  }, [...inputs, round, version]);
  const isCurrent = state.of !== undefined && inputs.every((input, index) => Object.is(input, state.of?.[index]));
  return { ...state, isCurrent, reload: useCallback(() => setRound((round) => round + 1), []) };
}

export interface LoadedPages<Item> extends Omit<Loaded<Item[]>, 'value'> {
  /** The items so far; undefined before the first answer. */
  items: Item[] | undefined;
  hasMore: boolean;
  /** How many there are, if the list was asked for it. */
  total: Total | undefined;
  /** Loads the next page. */
  more(): void;
}

type PageReader<Item> = AsyncGenerator<Page<Item>>;

/** The next page that holds something. The service may answer an empty one where it looked at much and found nothing. */
async function nextPage<Item>(rest: PageReader<Item>): Promise<Page<Item>> {
  for (;;) {
    const { value } = await rest.next();
    if (!value) return { items: [], next: null };
    if (value.items.length > 0 || value.next === null) return value;
  }
}

/** The first page, and as many more as were there when one left the list: the way back leads to the same row. */
async function firstPages<Item>(rest: PageReader<Item>, rows: number): Promise<Page<Item>> {
  const first = await nextPage(rest);
  const items = [...first.items];
  let { next } = first;
  while (items.length < rows && next !== null) {
    const page = await nextPage(rest);
    items.push(...page.items);
    next = page.next;
  }
  return { ...first, items, next };
}

/** Loads a list page by page. New inputs begin it anew; until the first page is there, the earlier items stay. */
export function usePages<Item>(
  list: (signal: AbortSignal) => Pick<Pages<Item>, 'pages'>,
  inputs: readonly unknown[],
): LoadedPages<Item> {
  const [further, setFurther] = useState<Item[]>([]);
  const [total, setTotal] = useState<Total>();
  const rows = useRef(keptRows());
  const [end, setEnd] = useState<{ hasMore: boolean; error: unknown; isLoading: boolean }>({
    hasMore: false,
    error: undefined,
    isLoading: false,
  });
  const pages = useRef<{ rest: PageReader<Item>; signal: AbortSignal } | undefined>(undefined);
  const first = useLoaded(async (signal) => {
    const rest = list(signal).pages();
    const page = await firstPages(rest, rows.current);
    rows.current = 0;
    if (signal.aborted) return [];
    setTotal(page.total);
    pages.current = { rest, signal };
    setFurther([]);
    setEnd({ hasMore: page.next !== null, error: undefined, isLoading: false });
    return page.items;
  }, inputs);
  const more = () => {
    const mine = pages.current;
    if (!mine || end.isLoading) return;
    setEnd((end) => ({ ...end, error: undefined, isLoading: true }));
    nextPage(mine.rest).then(
      (page) => {
        if (pages.current !== mine) return;
        setFurther((items) => [...items, ...page.items]);
        setEnd({ hasMore: page.next !== null, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (pages.current !== mine) return;
        // The pages after a failure cannot be read on: `reload` begins anew. One that was aborted makes room for newer inputs.
        setEnd({ hasMore: false, error: mine.signal.aborted ? undefined : error, isLoading: false });
      },
    );
  };
  return {
    reload: first.reload,
    isCurrent: first.isCurrent,
    isSlow: first.isSlow,
    items: useMemo(() => first.value && [...first.value, ...further], [first.value, further]),
    error: first.error ?? end.error,
    isLoading: first.isLoading || end.isLoading,
    hasMore: end.hasMore,
    total,
    more,
  };
}
