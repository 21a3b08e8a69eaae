import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type MessageKey, t } from '../language/language.ts';
import { href } from '../routing/address.ts';
import { useKeptPlace } from '../ui/kept-place.ts';
import type { LoadedPages } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { searchOf } from './search-of.ts';
import { focusRow, moveAmongRows, RESULTS } from './row-keys.ts';

interface Words {
  found: MessageKey;
  foundMore: MessageKey;
  none: MessageKey;
}

/** What was found: how many, the rows, and more of them. Rows of an earlier search stay until the new ones are there, but never beside an error. */
export function Found<Item>({
  found,
  words,
  table,
  empty,
}: {
  found: LoadedPages<Item>;
  words: Words;
  table: (items: Item[]) => VNode;
  /** A next step where nothing was found. */
  empty?: ComponentChildren;
}) {
  const { items, isCurrent, error, isLoading, isSlow, hasMore, total, reload } = found;
  const isShown = items !== undefined && (isCurrent || error === undefined);
  const more = useMore(found);
  useKeptPlace(isCurrent ? items?.length : undefined);
  return (
    <>
      <p class="found" role="status">
        {isSlow && items
          ? t('loading.slow')
          : isShown && items.length > 0
            ? t((total ? !total.exact : hasMore) ? words.foundMore : words.found, {
                count: total?.count ?? items.length,
              })
            : isCurrent && t(words.none)}
      </p>
      {isCurrent && items?.length === 0 && empty}
      {!items && error === undefined && <Skeleton rows={10} isSlow={isSlow} />}
      {isShown && items.length > 0 && (
        <div id={RESULTS} class={isCurrent ? undefined : 'old'} aria-busy={isLoading} onKeyDown={moveAmongRows}>
          {table(items)}
        </div>
      )}
      <ErrorNotice error={error} retry={reload} />
      {isShown && hasMore && (
        <p class="row">
          <button type="button" aria-disabled={isLoading} onClick={more}>
            {t('action.more')}
          </button>
        </p>
      )}
    </>
  );
}

/** Nothing is there at all, not only for a search. */
export const isEmpty = <Item,>({ items, isCurrent }: LoadedPages<Item>, search: string): boolean =>
  search === '' && isCurrent && items?.length === 0;

/** The next step where nothing was found: all of the list, or, where nothing is there, what makes the first. */
export function NextStep({ page, search, children }: { page: string; search: string; children: ComponentChildren }) {
  return <p class="empty">{search === '' ? children : <a href={href([page])}>{t('found.all')}</a>}</p>;
}

/** Loads the next page; the focus then goes to its first row, which stands where the button was. */
function useMore<Item>({ items, isLoading, more }: LoadedPages<Item>): () => void {
  const first = useRef<number>(undefined);
  useEffect(() => {
    if (first.current === undefined || isLoading || !items || items.length <= first.current) return;
    focusRow(first.current, { preventScroll: true });
    first.current = undefined;
  }, [items, isLoading]);
  return () => {
    if (isLoading) return;
    first.current = items?.length;
    more();
  };
}

/**
 * Opens the first that was found for a search, once the answer to that is there.
 *
 * @returns begins it for the text of the box
 */
export function useFirst<Item>(
  { items, isCurrent, error }: LoadedPages<Item>,
  search: string,
  open: (item: Item) => void,
): (text: string) => void {
  const [wanted, want] = useState<string>();
  useEffect(() => {
    if (wanted === undefined) return;
    // Somebody who types on wants something else.
    if (wanted === search && !isCurrent && error === undefined) return;
    want(undefined);
    if (wanted === search && isCurrent && items?.[0] !== undefined) open(items[0]);
  }, [wanted, search, isCurrent, error]);
  return (text) => want(searchOf(text));
}
