import type { JournalEntry } from '@user-administration/client';
import { undoRequest } from '../changes/undo.ts';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { Sentence } from './sentence.tsx';
import { undoableAmong } from './undoable.ts';

export function HistoryTable({ entries }: { entries: readonly JournalEntry[] }) {
  const undoable = undoableAmong(entries);
  return (
    <table class="history">
      <caption class="visually-hidden">{t('page.history')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('history.column.when')}</th>
          <th scope="col">{t('history.column.what')}</th>
          <th scope="col">{t('history.column.reason')}</th>
          <th scope="col">
            <span class="visually-hidden">{t('action.undo')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td class="when">
              <Time at={entry.at} />
            </td>
            <td class="what" id={`entry-${entry.id}`}>
              <Sentence entry={entry} withReason={false} />
            </td>
            <td class="why">{entry.reason && <bdi>{entry.reason}</bdi>}</td>
            <td class="undo">
              {undoable.has(entry.id) && (
                <button type="button" aria-describedby={`entry-${entry.id}`} onClick={() => undoRequest(entry)}>
                  {t('action.undo')}
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
