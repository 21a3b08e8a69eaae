import type { JournalFilter } from '@user-administration/client';
import { Sentence } from '../history/sentence.tsx';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { firstPage } from './operations.ts';

const SHOWN = 10;

/** The newest entries of the journal about a person or a workspace. */
export function LastChanges(of: Pick<JournalFilter, 'user' | 'workspace'>) {
  const { value, error, isSlow, reload } = useLoaded(
    (signal) => firstPage(service.journal.list({ ...of, limit: SHOWN }, { signal })),
    [of.user, of.workspace],
  );
  return (
    <section class="card">
      <h2>{t('card.changes')}</h2>
      <ErrorNotice error={error} retry={reload} />
      {!value && error === undefined && <Skeleton isSlow={isSlow} />}
      {value?.length === 0 && <p class="hint">{t('card.changes_none')}</p>}
      <ol class="changes">
        {value?.map((entry) => (
          <li key={entry.id}>
            <Sentence entry={entry} />{' '}
            <small>
              <Time at={entry.at} />
            </small>
          </li>
        ))}
      </ol>
      <a href={href(['history'], of)}>{t('card.changes_all')}</a>
    </section>
  );
}
