import { PLACES as PLACES_KIND, placesOf } from '../places/place-fields.tsx';
import { CreateRecordButton } from '../records/create-record.tsx';
import { FIELDS, ID, STATUS } from '../records/fields.ts';
import type { Field, Values } from '../ui/fields.ts';

const [name, email, permissions, activeUntil] = FIELDS.user as [Field, Field, Field, Field];
const PLACES: Field = { name: 'places', label: 'card.places', kind: PLACES_KIND, invalid: 'invalid.places' };
const NEW_PERSON = [
  name,
  email,
  { ...ID, hint: 'field.id_of_person_hint' },
  STATUS,
  activeUntil,
  PLACES,
  permissions,
] as const;

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
