import { CreateRecordButton } from '../records/create-record.tsx';
import { type Field, FIELDS, ID, STATUS, valuesOf } from '../records/fields.ts';

const [name, email, permissions] = FIELDS.user as [Field, Field, Field];
const NEW_PERSON = [name, email, { ...ID, hint: 'field.id_of_person_hint' }, STATUS, permissions] as const;

/** Opens the form for a new person. */
export function CreatePersonButton() {
  return (
    <CreateRecordButton kind="user" fields={NEW_PERSON} initial={{ ...valuesOf(NEW_PERSON, {}), status: 'active' }} />
  );
}
