import type { User } from '@user-administration/client';
import { useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { nameOf } from '../names.ts';
import { useFresh } from '../fresh.ts';
import { TypeWord } from '../records/grants.tsx';
import { PlaceLabel } from '../places/place-label.tsx';
import { goTo, href } from '../routing/address.ts';
import { useMayChange } from '../session/administrators-only.tsx';
import { Initials } from '../ui/icon.tsx';
import { Ending } from './ending.tsx';
import type { EndingPerson } from './ends-of.ts';
import type { PeopleQuery } from './people-query.ts';
import { select, selection, unselect } from './selection.ts';

/** A person who was found; `ends` where one looks for what ends. */
export type Listed = User | EndingPerson;

/** So many ends of a person are told. */
const ENDS = 3;

/** The people who were found, each with a checkbox. With the Shift key a checkbox takes those between it and the last one along. */
export function PeopleTable({ people, query }: { people: readonly Listed[]; query: PeopleQuery }) {
  const freshOf = useFresh('user');
  const mayChange = useMayChange();
  const [active, setActive] = useState<string>();
  const { people: selected } = selection.use();
  const last = useRef<string>(undefined);
  const count = people.filter(({ id }) => selected.has(id)).length;
  const change = (some: readonly Listed[], isSelected: boolean) =>
    isSelected ? select(some) : unselect(some.map(({ id }) => id));
  // The rows are drawn anew only if their own facts change: `toggle` reads the rest when it is called.
  const toggle = useRef<(person: Listed, isSelected: boolean, isRange: boolean) => void>(undefined);
  toggle.current = (person, isSelected, isRange) => {
    const to = people.indexOf(person);
    const from = isRange ? people.findIndex(({ id }) => id === last.current) : -1;
    last.current = person.id;
    setActive(person.id);
    change(from < 0 ? [person] : people.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected);
  };
  return (
    <table class="people">
      <thead>
        <tr>
          {mayChange && (
            <th scope="col" class="pick">
              <label>
                <input
                  type="checkbox"
                  checked={count === people.length}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && count < people.length;
                  }}
                  onClick={({ currentTarget }) => change(people, currentTarget.checked)}
                />
                <span>{t('people.select_shown')}</span>
              </label>
            </th>
          )}
          {query.ends ? (
            <th scope="col">{t('people.person')}</th>
          ) : (
            <SortHead label={t('people.person')} sort="displayName" query={query} />
          )}
          <th scope="col">{t('people.type')}</th>
          <th scope="col">{t('people.status')}</th>
          {query.ends ? (
            <th scope="col">{t('people.ending')}</th>
          ) : (
            <SortHead label={t('people.changed')} sort="-updatedAt" query={query} />
          )}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <Row
            key={person.id}
            person={person}
            isSelected={selected.has(person.id)}
            fresh={freshOf(person.id)}
            // From a selection, its bar is a few steps away, and the arrows lead to the other rows.
            isSkipped={selected.size > 0 && active !== undefined && active !== person.id}
            toggle={mayChange ? toggle : undefined}
          />
        ))}
      </tbody>
    </table>
  );
}

/** A column by which people are sorted; a second click sorts by id again. */
function SortHead({ label, sort, query }: { label: string; sort: string; query: PeopleQuery }) {
  const isSorted = query.sort === sort;
  return (
    <th scope="col" aria-sort={isSorted ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        class="plain sort"
        onClick={() => goTo(href(['people'], { ...query, sort: isSorted ? undefined : sort }))}
      >
        {label} <span aria-hidden="true">{isSorted ? (sort.startsWith('-') ? '↓' : '↑') : '↕'}</span>
      </button>
    </th>
  );
}

interface RowProps {
  person: Listed;
  isSelected: boolean;
  fresh: 'fresh' | undefined;
  isSkipped: boolean;
  /** Undefined: nothing can be done with the person. */
  toggle: { current: ((person: Listed, isSelected: boolean, isRange: boolean) => void) | undefined } | undefined;
}

function Row({ person, isSelected, fresh, isSkipped, toggle }: RowProps) {
  return useMemo(() => {
    const { id, email, displayName, type, status, activeUntil } = person;
    return (
      <tr class={[isSelected && 'selected', fresh].filter(Boolean).join(' ')}>
        {toggle && (
          <td class="pick">
            <label>
              <input
                type="checkbox"
                checked={isSelected}
                tabIndex={isSkipped ? -1 : undefined}
                onClick={({ currentTarget, shiftKey }) => toggle.current?.(person, currentTarget.checked, shiftKey)}
              />
              <span class="visually-hidden">{t('people.select', { name: nameOf(person) })}</span>
            </label>
          </td>
        )}
        <th scope="row">
          <div class="who">
            <Initials name={nameOf(person)} />
            <a href={href(['people', id])} tabIndex={isSkipped ? -1 : undefined}>
              <bdi>{nameOf(person)}</bdi>
            </a>
            <small>
              {' '}
              {displayName && <bdi>{id}</bdi>}
              {displayName && email && ' · '}
              {email && <bdi>{email}</bdi>}
            </small>
            {!('ends' in person) && activeUntil && (
              <span class="account-end">
                <Ending user={id} at={activeUntil} isSkipped={isSkipped || isSelected} />
              </span>
            )}
          </div>
        </th>
        <td>
          <TypeWord type={type} />
        </td>
        <td>
          <span class={status === 'inactive' ? 'word inactive' : 'quiet'}>{t(`status.${status}`)}</span>
        </td>
        {'ends' in person ? (
          <td class="ending">
            {person.ends.slice(0, ENDS).map(({ place, until }) => (
              <span key={`${place?.kind} ${place?.id}`}>
                {place && <PlaceLabel {...place} />} <Ending user={id} place={place} at={until} />
              </span>
            ))}
            {person.ends.length > ENDS && <small>{t('change.more', { count: person.ends.length - ENDS })}</small>}
          </td>
        ) : (
          <td class="quiet changed">
            <Time at={person.updatedAt} />
          </td>
        )}
      </tr>
    );
  }, [person, isSelected, fresh, isSkipped, toggle]);
}
