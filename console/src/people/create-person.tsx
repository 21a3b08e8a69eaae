import { PLACES as PLACES_KIND, placesOf } from '../places/place-fields.tsx';
import { CreateRecordButton } from '../records/create-record.tsx';
import { FIELDS, ID, PERSON_TEXTS, STATUS } from '../records/fields.ts';
import type { Field, Values } from '../ui/fields.ts';

const named = (name: string): Field[] => FIELDS.user.filter((field) => field.name === name);
const PLACES: Field = { name: 'places', label: 'card.places', kind: PLACES_KIND, invalid: 'invalid.places' };
const NEW_PERSON: readonly Field[] = [
  ...named('displayName'),
  ...PERSON_TEXTS,
  { ...ID, hint: 'field.id_of_person_hint' },
  STATUS,
  ...named('activeUntil'),
  PLACES,
  ...named('permissions'),
];

/** Opens the form for a new person. */
export function CreatePersonButton() {
  return <CreateRecordButton kind="user" fields={NEW_PERSON} initial={{ status: 'active' }} bodyOf={bodyOf} />;
}

/** Whoever is in a group is in its workspace. */
function bodyOf({ places: chosen, ...values }: Values): Values {
  const places = placesOf(chosen);
  const idsOf = (kind: string) => places.filter((place) => place.kind === kind).map(({ id }) => id);
  const around = places.flatMap(({ workspace }) => workspace ?? []);
  return { ...values, workspaces: [...new Set([...idsOf('workspace'), ...around])], groups: idsOf('group') };
}
