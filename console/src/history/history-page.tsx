import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../language/language.ts';
import { href, useAddress } from '../routing/address.ts';
import { useKeptPlace } from '../ui/kept-place.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { actsOf } from './acts.ts';
import { SaveHistory } from './export.tsx';
import { filterOf, toJournalFilter } from './filter.ts';
import { Chips, Filters, Presets } from './filters.tsx';
import { HistoryTable } from './history-table.tsx';
import { useJournal } from './use-journal.ts';

/** So few lines ask for older ones by themselves: an act of thousands of people is one line. */
const FEW = 15;
const MOST_PAGES = 5;

export function HistoryPage() {
  const filter = filterOf(useAddress().query);
  const heading = useRef<HTMLHeadingElement>(null);
  const table = useRef<HTMLDivElement>(null);
  // After a dialog, the focus returns to the row that it came from.
  const isReading = () =>
    scrollY > 0 ||
    document.querySelector('dialog[open]') !== null ||
    (table.current?.contains(document.activeElement) ?? false);
  const { rows, error, isLoading, isSlow, isLive, more, showNew, reload } = useJournal(
    toJournalFilter(filter),
    isReading,
  );
  const shown = rows?.shown ?? [];
  const acts = useMemo(() => actsOf(shown), [rows?.shown]);
  useKeptPlace(rows && shown.length);
  const asked = useRef(0);
  useEffect(() => {
    if (acts.length >= FEW || !rows?.next || isLoading || error !== undefined || asked.current >= MOST_PAGES) return;
    asked.current++;
    more();
  }, [acts.length, rows?.next, isLoading]);
  const showAndRead = () => {
    showNew();
    heading.current?.focus();
    scrollTo(0, 0);
  };
  return (
    <>
      <div class="row history-head">
        <h1 ref={heading} tabIndex={-1}>
          {t('page.history')}
        </h1>
        <span class="live" role="status">
          {isLive !== undefined && (
            <span class={isLive ? 'word on' : 'word inactive'}>{t(isLive ? 'history.live' : 'history.not_live')}</span>
          )}
        </span>
        <span class="end row tight">{shown.length > 0 && <SaveHistory filter={toJournalFilter(filter)} />}</span>
      </div>
      <Presets />
      <details class="fold" open={!matchMedia('(max-width: 640px)').matches}>
        <summary>{t('history.filters')}</summary>
        <Filters filter={filter} />
      </details>
      <Chips filter={filter} />
      <div class="news" role="status">
        {rows !== undefined && rows.waiting.length > 0 && (
          <button type="button" class="primary" onClick={showAndRead}>
            {t('history.new', { count: rows.waiting.length })}
          </button>
        )}
      </div>
      <div ref={table} class="card">
        {shown.length > 0 && <HistoryTable acts={acts} />}
        {rows !== undefined && shown.length === 0 && (
          <p class="empty">
            {t('history.empty')} <a href={href(['history'])}>{t('people.without_filters')}</a>
          </p>
        )}
        {isLoading && <Skeleton rows={rows ? 1 : 8} isSlow={isSlow} />}
        <ErrorNotice error={error} retry={rows ? more : reload} />
        {!isLoading && error === undefined && rows?.next && (
          <button type="button" class="more" onClick={more}>
            {t('action.more')}
          </button>
        )}
      </div>
    </>
  );
}
