import type { User } from '@user-administration/client';
import { useMemo, useRef } from 'preact/hooks';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';
import { nameOf } from '../names.ts';
import { href } from '../routing/address.ts';
import { select, selection, unselect } from './selection.ts';

/** The people who were found, each with a checkbox. With the Shift key a checkbox takes those between it and the last one along. */
export function PeopleTable({ people }: { people: readonly User[] }) {
  const { people: selected } = selection.use();
  const last = useRef<string>(undefined);
  const count = people.filter(({ id }) => selected.has(id)).length;
  const change = (some: readonly User[], isSelected: boolean) =>
    isSelected ? select(some) : unselect(some.map(({ id }) => id));
  // The rows are drawn anew only if their own facts change: `toggle` reads the rest when it is called.
  const toggle = useRef<(person: User, isSelected: boolean, isRange: boolean) => void>(undefined);
  toggle.current = (person, isSelected, isRange) => {
    const to = people.indexOf(person);
    const from = isRange ? people.findIndex(({ id }) => id === last.current) : -1;
    last.current = person.id;
    change(from < 0 ? [person] : people.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected);
  };
  return (
    <table class="people">
      <thead>
        <tr>
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
          <th scope="col">{t('people.person')}</th>
          <th scope="col">{t('people.type')}</th>
          <th scope="col">{t('people.status')}</th>
          <th scope="col">{t('people.changed')}</th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <Row key={person.id} person={person} isSelected={selected.has(person.id)} toggle={toggle} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  person: User;
  isSelected: boolean;
  toggle: { current: ((person: User, isSelected: boolean, isRange: boolean) => void) | undefined };
}

function Row({ person, isSelected, toggle }: RowProps) {
  return useMemo(() => {
    const { id, email, displayName, type, status, updatedAt } = person;
    return (
      <tr class={isSelected ? 'selected' : undefined}>
        <td class="pick">
          <label>
            <input
              type="checkbox"
              checked={isSelected}
              onClick={({ currentTarget, shiftKey }) => toggle.current?.(person, currentTarget.checked, shiftKey)}
            />
            <span class="visually-hidden">{t('people.select', { name: nameOf(person) })}</span>
          </label>
        </td>
        <th scope="row">
          <a href={href(['people', id])}>
            <bdi>{nameOf(person)}</bdi>
          </a>
          <small>
            {displayName && <bdi>{id}</bdi>}
            {displayName && email && ' · '}
            {email && <bdi>{email}</bdi>}
          </small>
        </th>
        <td class="quiet">{t(`type.${type}`)}</td>
        <td>
          <span class={status === 'inactive' ? 'word inactive' : 'quiet'}>{t(`status.${status}`)}</span>
        </td>
        <td class="quiet changed">
          <Time at={updatedAt} />
        </td>
      </tr>
    );
  }, [person, isSelected]);
}
