import type { User } from '@user-administration/client';
import { t } from '../language/language.ts';
import { localTime } from '../csv.ts';
import { PERSON_TEXTS } from '../records/fields.ts';
import { placeText } from '../places/place-label.tsx';
import { service } from '../service.ts';
import { SaveButton } from '../ui/save-button.tsx';
import { pagesOfEnding } from './ends-of.ts';
import { asAccessFilter, asFilter, type PeopleQuery } from './people-query.ts';
import { SaveAccess } from './save-access.tsx';

const PAGE = 200;
/** Each person's places are a request. */
const MOST_WITH_PLACES = 1_000;
const AT_ONCE = 5;
const TEXTS = PERSON_TEXTS.map(({ name }) => name as 'email');
const HEAD = ['id', 'name', ...TEXTS, 'type', 'status', 'created', 'last change', 'active until'];

/** What an import reads: it leaves what has no column as it is. */
const IMPORTED = ['id', ...TEXTS, 'displayName', 'status', 'activeUntil'] as const;

/** Saves all people who match; and, for an access review, up to 1,000 of them with their workspaces and groups. */
export function SavePeople({ query }: { query: PeopleQuery }) {
  return (
    <details class="menu">
      <summary>{t('people.save')}</summary>
      <div>
        <strong>{t('people.for_reading')}</strong>
        {query.ends && (
          <SaveButton
            label={t('people.ending')}
            name="ending"
            head={['id', 'name', 'email', 'type', 'status', 'ends', 'place', 'place id', 'at']}
            rows={(signal) => endingRows(query, signal)}
          />
        )}
        <SaveButton label={t('people.save_all')} name="people" head={HEAD} rows={(signal) => rowsOf(query, signal)} />
        <SaveButton
          label={t('people.save_places', { max: MOST_WITH_PLACES })}
          name="people-places"
          head={[...HEAD, 'workspaces', 'groups']}
          rows={(signal) => rowsWithPlaces(query, signal)}
        />
        <SaveAccess of={asAccessFilter(query)} />
        <SaveButton
          label={t('people.save_import')}
          name="people-import"
          head={IMPORTED}
          rows={(signal) => rowsToImport(query, signal)}
        />
      </div>
    </details>
  );
}

const pagesOf = (query: PeopleQuery, signal: AbortSignal) =>
  service.users.list({ ...asFilter(query), limit: PAGE }, { signal }).pages();

const rowOf = (person: User) => [
  person.id,
  person.displayName,
  ...TEXTS.map((name) => person[name]),
  person.type,
  person.status,
  localTime(person.createdAt),
  localTime(person.updatedAt),
  person.activeUntil && localTime(person.activeUntil),
];

async function* rowsOf(query: PeopleQuery, signal: AbortSignal) {
  for await (const { items } of pagesOf(query, signal)) yield items.map(rowOf);
}

async function* rowsToImport(query: PeopleQuery, signal: AbortSignal) {
  for await (const { items } of pagesOf(query, signal))
    yield items.map((person) => IMPORTED.map((name) => person[name as 'email']));
}

/** A line for each end, the nearest of each person first. */
async function* endingRows(query: PeopleQuery, signal: AbortSignal) {
  const { endsBefore = '' } = asFilter(query);
  for await (const { items } of pagesOfEnding({ ...asAccessFilter(query), endsBefore }, PAGE, signal))
    yield items.flatMap(({ id, displayName, email, type, status, ends }) =>
      ends.map(({ place, until }) => [
        ...[id, displayName, email, type, status],
        ...[place?.kind ?? 'account', place && placeText(place), place?.id, localTime(until)],
      ]),
    );
}

async function* rowsWithPlaces(query: PeopleQuery, signal: AbortSignal) {
  let left = MOST_WITH_PLACES;
  for await (const { items } of pagesOf(query, signal)) {
    const some = items.slice(0, left);
    for (let from = 0; from < some.length; from += AT_ONCE)
      yield await Promise.all(some.slice(from, from + AT_ONCE).map((person) => rowWithPlaces(person, signal)));
    left -= some.length;
    if (left === 0) return;
  }
}

async function rowWithPlaces(person: User, signal: AbortSignal) {
  const places = await service.users.memberships(person.id, { signal }).all();
  const groups = places.flatMap(({ workspace, groups }) =>
    groups.map(({ name, until }) => named(`${name} (${workspace.name})`, until)),
  );
  const workspaces = places.map(({ workspace: { name, until } }) => named(name, until));
  return [...rowOf(person), workspaces.join('; '), groups.join('; ')];
}

const named = (name: string, until: string | undefined) => (until ? `${name} until ${localTime(until)}` : name);
