import type { JournalEntry, JournalFilter } from '@user-administration/client';
import { after, before, listOf } from '../history/facts.ts';
import { Sentence } from '../history/sentence.tsx';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { firstPage } from './operations.ts';

const SHOWN = 10;
/** The journal knows the changes of a workspace; those of its group are among them. */
const LOOKED_AT = 200;

const isAbout = (entry: JournalEntry, group: string): boolean =>
  [before(entry), after(entry)].some((facts) => facts.group === group || listOf(facts, 'groups').includes(group));

/** The newest entries of the journal about a person or a workspace. */
export function LastChanges({ group, ...of }: Pick<JournalFilter, 'user' | 'workspace'> & { group?: string }) {
  const { value, error, isSlow, reload } = useLoaded(
    async (signal) => {
      const limit = group === undefined ? SHOWN : LOOKED_AT;
      const entries = await firstPage(service.journal.list({ ...of, limit }, { signal }));
      return group === undefined ? entries : entries.filter((entry) => isAbout(entry, group)).slice(0, SHOWN);
    },
    [of.user, of.workspace, group],
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
