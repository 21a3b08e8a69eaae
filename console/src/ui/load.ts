import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Pages } from '@user-administration/client';
import { directoryVersion } from '../changed.ts';

const SLOW_MS = 3_000;

export interface Loaded<Value> {
  /** What was loaded last. It stays while something newer is loading, so that the page does not jump. */
  value: Value | undefined;
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
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({
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
        (value) => !controller.signal.aborted && setState({ value, error: undefined, isLoading: false, isSlow: false }),
        (error: unknown) =>
          !controller.signal.aborted && setState((state) => ({ ...state, error, isLoading: false, isSlow: false })),
      )
      .finally(() => clearTimeout(slow));
    return () => {
      clearTimeout(slow);
      controller.abort();
    };
  }, [...inputs, round, version]);
  return { ...state, reload: useCallback(() => setRound((round) => round + 1), []) };
}

export interface LoadedPages<Item> extends Omit<Loaded<Item[]>, 'value'> {
  /** The items so far; undefined before the first answer. */
  items: Item[] | undefined;
  hasMore: boolean;
  /** Loads the next page. */
  more(): void;
}

/** Loads a list page by page. New inputs begin it anew; until the first page is there, the earlier items stay. */
export function usePages<Item>(
  list: (signal: AbortSignal) => Pages<Item>,
  inputs: readonly unknown[],
): LoadedPages<Item> {
  const [further, setFurther] = useState<Item[]>([]);
  const [end, setEnd] = useState<{ hasMore: boolean; error: unknown; isLoading: boolean }>({
    hasMore: false,
    error: undefined,
    isLoading: false,
  });
  const pages = useRef<AsyncGenerator<{ items: Item[]; next: string | null }> | undefined>(undefined);
  const first = useLoaded(async (signal) => {
    const generator = list(signal).pages();
    const { value } = await generator.next();
    if (signal.aborted) return [];
    pages.current = generator;
    setFurther([]);
    setEnd({ hasMore: typeof value?.next === 'string', error: undefined, isLoading: false });
    return value?.items ?? [];
  }, inputs);
  const more = () => {
    const generator = pages.current;
    if (!generator || end.isLoading) return;
    setEnd((end) => ({ ...end, error: undefined, isLoading: true }));
    generator.next().then(
      ({ value }) => {
        if (pages.current !== generator) return;
        setFurther((items) => [...items, ...(value?.items ?? [])]);
        setEnd({ hasMore: typeof value?.next === 'string', error: undefined, isLoading: false });
      },
      (error: unknown) => pages.current === generator && setEnd((end) => ({ ...end, error, isLoading: false })),
    );
  };
  return {
    reload: first.reload,
    isSlow: first.isSlow,
    items: first.value && [...first.value, ...further],
    error: first.error ?? end.error,
    isLoading: first.isLoading || end.isLoading,
    hasMore: end.hasMore,
    more,
  };
}
