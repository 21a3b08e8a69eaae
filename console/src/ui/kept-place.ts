import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Where one was in a list, beside its step in the history of the browser: the way back leads there. */
interface KeptPlace {
  rows: number;
  scroll: number;
}

const keptPlace = (): Partial<KeptPlace> => (history.state as Partial<KeptPlace> | null) ?? {};

/** How many rows were shown when one left this step of the history; 0 for a new one. */
export const keptRows = (): number => keptPlace().rows ?? 0;

/** Remembers the position in a list of `rows` rows, and restores it on the way back. */
export function useKeptPlace(rows: number | undefined): void {
  const wanted = useRef(keptPlace().scroll);
  useEffect(() => {
    history.scrollRestoration = 'manual';
    let timer: ReturnType<typeof setTimeout>;
    const keep = () => {
      if (rows) history.replaceState({ rows, scroll: scrollY } satisfies KeptPlace, '');
    };
    const keepSoon = () => {
      clearTimeout(timer);
      const fragment = location.hash;
      timer = setTimeout(() => fragment === location.hash && keep(), 100);
    };
    keepSoon();
    addEventListener('scroll', keepSoon, { passive: true });
    // Before a link leaves this step of the history, however soon after scrolling.
    addEventListener('click', keep, { capture: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', keepSoon);
      removeEventListener('click', keep, { capture: true });
    };
  }, [rows]);
  useLayoutEffect(() => {
    if (!rows || wanted.current === undefined) return;
    scrollTo(0, wanted.current);
    wanted.current = undefined;
  }, [rows]);
}
