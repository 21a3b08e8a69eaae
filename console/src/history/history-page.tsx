import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { service } from '../service.ts';
import { usePages } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { Sentence } from './sentence.tsx';

export function HistoryPage() {
  const { items, error, isSlow, reload } = usePages((signal) => service.journal.list({}, { signal }), []);
  return (
    <>
      <h1>{t('page.history')}</h1>
      <ErrorNotice error={error} retry={reload} />
      {items ? (
        <table>
          <tbody>
            {items.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <Time at={entry.at} />
                </td>
                <td>
                  <Sentence entry={entry} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Skeleton isSlow={isSlow} />
      )}
    </>
  );
}
