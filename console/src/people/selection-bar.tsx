import type { User } from '@user-administration/client';
import { propose, type ProposedChange } from '../changes/change.ts';
import { focusBox } from '../finding/row-keys.ts';
import { t } from '../language/language.ts';
import { href } from '../routing/address.ts';
import { useCountedWork } from '../ui/counted-work.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { clearSelection, MOST_SELECTED, selectAllFound, selection, unselect } from './selection.ts';
import type { PeopleQuery } from './people-query.ts';

/** Whom one sees by name of a large selection. */
const NAMES = 100;

interface Props {
  query: PeopleQuery;
  shown: readonly Pick<User, 'id'>[];
  /** More were found than are shown. */
  hasMore: boolean;
}

/** How many are selected and who, and what can be done with them. */
export function SelectionBar({ query, shown, hasMore }: Props) {
  const { people, isFull } = selection.use();
  if (people.size === 0) return null;
  const begin = (change: Pick<Extract<ProposedChange, { kind: 'add' | 'remove' }>, 'kind'> | Status) =>
    propose({ ...change, userIds: [...people.keys()], onDone: clearSelection });
  const isAllShown = shown.every(({ id }) => people.has(id));
  const elsewhere = people.size - shown.filter(({ id }) => people.has(id)).length;
  return (
    <section class="selection" aria-label={t('people.selection')}>
      {hasMore && isAllShown && !isFull && <SelectFound query={query} />}
      <div class="row">
        <details>
          <summary>
            <span role="status">
              {isFull
                ? t('people.selected_first', { count: MOST_SELECTED })
                : t('people.selected', { count: people.size })}
            </span>{' '}
            {elsewhere > 0 && <small>{t('people.elsewhere', { number: elsewhere })}</small>}
          </summary>
          <SelectedNames people={people} />
        </details>
        <button type="button" class="plain" onClick={() => (clearSelection(), focusBox())}>
          {t('people.clear')}
        </button>
        <button type="button" class="primary end" onClick={() => begin({ kind: 'add' })}>
          {t('people.add')}
        </button>
        <button type="button" onClick={() => begin({ kind: 'remove' })}>
          {t('people.take_out')}
        </button>
        <button type="button" onClick={() => begin({ kind: 'status', status: 'inactive' })}>
          {t('people.suspend')}
        </button>
        <button type="button" onClick={() => begin({ kind: 'status', status: 'active' })}>
          {t('people.activate')}
        </button>
      </div>
    </section>
  );
}

type Status = { kind: 'status'; status: 'active' | 'inactive' };

function SelectedNames({ people }: { people: ReadonlyMap<string, string> }) {
  const first = [...people].slice(0, NAMES);
  return (
    <ul>
      {first.map(([id, name]) => (
        <li key={id}>
          <a href={href(['people', id])} title={id}>
            <bdi>{name}</bdi>
          </a>
          <button
            type="button"
            class="plain"
            onClick={() => unselect([id])}
            aria-label={t('people.unselect', { name })}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      {people.size > NAMES && <li>{t('people.others', { count: people.size - NAMES })}</li>}
    </ul>
  );
}

/** Selects everybody whom the search finds, also those not shown yet. It shows its progress and can be cancelled; another search cancels it. */
function SelectFound({ query }: { query: PeopleQuery }) {
  const { count, error, begin, cancel } = useCountedWork(
    (signal, tell) => selectAllFound(query, signal, tell),
    [href([], query)],
  );
  return (
    <>
      <p class="row">
        {count === undefined ? (
          <button type="button" class="link" onClick={begin}>
            {t('people.select_found')}
          </button>
        ) : (
          <>
            <span>{t('people.selecting', { count })}</span>
            <button type="button" onClick={cancel}>
              {t('action.cancel')}
            </button>
          </>
        )}
      </p>
      <ErrorNotice error={error} />
    </>
  );
}
