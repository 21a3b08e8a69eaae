import type { JournalEntry } from '@user-administration/client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { suspends, undoRequest } from '../changes/undo.ts';
import { t } from '../language/language.ts';
import { useMayChange } from '../session/administrators-only.tsx';
import { dayOf } from '../ui/days.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { ActSentence } from './act-sentence.tsx';
import type { Act } from './acts.ts';
import { entriesOfAct } from './rest-of-act.ts';
import { iconOf } from './kinds.ts';
import { DayHeading, Moment } from './moment.tsx';
import { Sentence } from './sentence.tsx';

export function HistoryTable({ acts }: { acts: readonly Act[] }) {
  const days = Map.groupBy(acts, ({ main }) => dayOf(new Date(main.at)));
  return (
    <table class="history">
      <caption class="visually-hidden">{t('page.history')}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{t('history.column.what')}</th>
          <th scope="col">{t('history.column.reason')}</th>
          <th scope="col">{t('history.column.when')}</th>
          <th scope="col">{t('action.undo')}</th>
        </tr>
      </thead>
      {[...days].map(([day, all]) => (
        <tbody key={day}>
          <tr class="day">
            <th scope="rowgroup" colSpan={4}>
              <DayHeading day={day} />
            </th>
          </tr>
          {all.map((act) => (
            <Row key={act.key} act={act} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** A row is drawn anew only if its own facts change. */
function Row({ act }: { act: Act }) {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useMayChange();
  return useMemo(() => {
    const { main, entries, people, isUndoable, isUndone } = act;
    return (
      <>
        <tr class={isUndone ? 'act undone' : 'act'}>
          <td class="what" id={`entry-${main.id}`}>
            <Icon name={iconOf(main)} /> <ActSentence act={act} />
            {isUndone && <small> {t('history.undone')}</small>}
            {entries.length > 1 && (
              <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {t(people > 1 ? 'act.details' : 'act.consequences', {
                  number: people > 1 ? people : entries.length - 1,
                })}
              </button>
            )}
          </td>
          <td class="why">
            {main.reason && <bdi>{main.reason}</bdi>} {main.erased && <small>{t('history.erased')}</small>}
          </td>
          <td class="when">
            <Moment at={main.at} />
          </td>
          <td class="undo">
            {isUndoable && !isUndone && mayChange && (
              <button
                type="button"
                class={suspends(main) ? 'plain danger' : 'plain'}
                aria-describedby={`entry-${main.id}`}
                onClick={() => undoRequest(act)}
              >
                {people > 1 ? t('history.undo_people', { count: people }) : t('action.undo')}
              </button>
            )}
          </td>
        </tr>
        {isOpen && (
          <tr class="rest">
            <td colSpan={4}>
              <Rest act={act} />
            </td>
          </tr>
        )}
      </>
    );
  }, [act, isOpen, mayChange]);
}

/** The entries of an act, except the one that its line shows. */
function Rest({ act: { main, people, entries } }: { act: Act }) {
  const [pages] = useState(() => {
    const controller = new AbortController();
    return { controller, rest: entriesOfAct(main, controller.signal) };
  });
  const [shown, setShown] = useState<{
    entries: JournalEntry[];
    isLoading: boolean;
    hasMore: boolean;
    error?: unknown;
  }>({
    entries: [],
    isLoading: true,
    hasMore: true,
  });
  const more = () => {
    setShown((shown) => ({ ...shown, isLoading: true, error: undefined }));
    pages.rest.next().then(
      ({ value, done }) =>
        setShown(({ entries }) => ({ entries: [...entries, ...(value ?? [])], isLoading: false, hasMore: !done })),
      (error: unknown) =>
        !pages.controller.signal.aborted &&
        setShown(({ entries }) => ({ entries, isLoading: false, hasMore: false, error })),
    );
  };
  useEffect(() => {
    more();
    return () => pages.controller.abort();
  }, []);
  return (
    <>
      <ol class="changes">
        {shown.entries
          .filter(({ id }) => people > 1 || id !== main.id)
          .map((entry) => (
            <li key={entry.id}>
              <Sentence entry={entry} withReason={false} />
            </li>
          ))}
      </ol>
      {shown.isLoading && <Skeleton rows={1} />}
      <ErrorNotice error={shown.error} />
      {shown.hasMore && !shown.isLoading && entries.length > shown.entries.length && (
        <button type="button" onClick={more}>
          {t('action.more')}
        </button>
      )}
    </>
  );
}
