import type { JournalEntry, JournalFilter } from '@user-administration/client';
import { after, before, listOf } from '../history/facts.ts';
import { ActSentence } from '../history/act-sentence.tsx';
import { actsOf } from '../history/acts.ts';
import { olderPage } from '../history/rest-of-act.ts';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { href } from '../routing/address.ts';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';

const SHOWN = 10;
/** The newest entries are read until they are so many acts, or so many pages: the acts of a group are among those of its workspace. */
const MOST_PAGES = 4;

const isAbout = (entry: JournalEntry, group: string): boolean =>
  [before(entry), after(entry)].some((facts) => facts.group === group || listOf(facts, 'groups').includes(group));

/** The newest acts of the journal about a person, a workspace or a group. */
export function LastChanges({ group, ...of }: Pick<JournalFilter, 'user' | 'workspace'> & { group?: string }) {
  const { value, error, isSlow, reload } = useLoaded(
    async (signal) => {
      const entries: JournalEntry[] = [];
      let cursor: string | undefined;
      for (let pages = 0; ; pages++) {
        const { items, next } = await olderPage(of, cursor, signal);
        entries.push(...(group === undefined ? items : items.filter((entry) => isAbout(entry, group))));
        const acts = actsOf(entries);
        if (acts.length >= SHOWN || next === null || pages === MOST_PAGES) return acts.slice(0, SHOWN);
        cursor = next;
      }
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
        {value?.map((act) => (
          <li key={act.key}>
            <ActSentence act={act} withReason />{' '}
            <small>
              <Time at={act.main.at} />
            </small>
          </li>
        ))}
      </ol>
      <a href={href(['history'], of)}>{t('card.changes_all')}</a>
    </section>
  );
}
