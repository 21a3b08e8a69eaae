import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { useAddress } from '../routing/address.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { filterOf, toJournalFilter } from './filter.ts';
import { Chips, Filters } from './filters.tsx';
import { HistoryTable } from './history-table.tsx';
import { saveCsv } from './save-csv.ts';
import { useJournal } from './use-journal.ts';
import './history.css';

const MINUTE_MS = 60_000;

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
  useMinutes();
  const shown = rows?.shown ?? [];
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
        {shown.length > 0 && (
          <button type="button" class="end" onClick={() => saveCsv(shown)}>
            {t('history.export', { count: shown.length })}
          </button>
        )}
      </div>
      <Filters filter={filter} />
      <Chips filter={filter} />
      <div class="news" role="status">
        {rows !== undefined && rows.waiting.length > 0 && (
          <button type="button" class="primary" onClick={showAndRead}>
            {t('history.new', { count: rows.waiting.length })}
          </button>
        )}
      </div>
      <div ref={table} class="card">
        {shown.length > 0 && <HistoryTable entries={shown} />}
        {rows !== undefined && shown.length === 0 && <p class="empty">{t('history.empty')}</p>}
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

/** Draws again as time goes by: "a minute ago" becomes "2 minutes ago". */
function useMinutes(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((minute) => minute + 1), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
}
