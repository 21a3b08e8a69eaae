import { type FieldValues, fieldsOf, type UserText } from '../contract/record-fields';
import type { User } from '../directory/user.entity';
import { fieldValues } from '../records/field-values';

/** The declared texts of a user. What is undefined is not given. */
export type UserTexts = Partial<Pick<FieldValues<'user'>, UserText>>;

const TEXTS = fieldsOf('user').filter(([, { type }]) => type === 'text');
const CHANGEABLE = fieldsOf('user').filter(([, { setBy }]) => setBy === undefined);

/** The texts that a body gives, in the form in which they are stored. */
export function storedTexts(body: UserTexts): UserTexts {
  const given: Record<string, unknown> = { ...body };
  const stored = TEXTS.map(([name, { toStored }]) => {
    const value = given[name];
    return [name, typeof value === 'string' && toStored ? toStored(value) : value] as const;
  });
  return Object.fromEntries(stored) as UserTexts;
}

/** The fields that a PATCH sets, as the journal tells them. */
export function changeableFields(row: Partial<User>): UserTexts & { activeUntil?: string | null } {
  const values: Record<string, unknown> = fieldValues('user', row);
  return Object.fromEntries(CHANGEABLE.map(([name]) => [name, values[name]]));
}
