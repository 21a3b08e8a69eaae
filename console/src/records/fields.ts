import type { ErrorLocation, UserAdministrationError } from '@user-administration/client';
import { type MessageKey, t } from '../language/language.ts';
import type { NamedKind } from '../names.ts';
import type { Place } from '../places/place-label.tsx';

export type Value = string | readonly string[];
/** What stands in a form. An empty text is null on the wire. */
export type Values = Readonly<Record<string, Value>>;

/** One field of a form, by its name on the wire. */
export interface Field {
  name: string;
  label: MessageKey;
  kind: 'text' | 'long' | 'choice' | 'permissions' | 'places';
  /** What one chooses from, by the value on the wire. */
  options?: Readonly<Record<string, MessageKey>>;
  hint?: MessageKey;
  /** What is wrong if the service says `field.invalid`. */
  invalid?: MessageKey;
}

const TYPES = {
  guest: 'type.guest',
  member: 'type.member',
  manager: 'type.manager',
  administrator: 'type.administrator',
} as const;

const PERMISSIONS: Field = {
  name: 'permissions',
  label: 'field.permissions',
  kind: 'permissions',
  invalid: 'invalid.permissions',
};
const NAME: Field = { name: 'name', label: 'field.name', kind: 'text', invalid: 'invalid.name' };

/** The fields that can be changed. */
export const FIELDS: Readonly<Record<NamedKind, readonly Field[]>> = {
  user: [
    { name: 'displayName', label: 'field.name', kind: 'text', invalid: 'invalid.name' },
    { name: 'email', label: 'field.email', kind: 'text', invalid: 'invalid.email' },
    { ...PERMISSIONS, hint: 'field.permissions_hint' },
  ],
  workspace: [NAME, PERMISSIONS],
  group: [NAME, PERMISSIONS],
  permission: [
    { name: 'description', label: 'field.description', kind: 'long', invalid: 'invalid.description' },
    { name: 'grants', label: 'field.grants', kind: 'choice', options: TYPES, hint: 'field.grants_hint' },
  ],
};

export const ID: Field = { name: 'id', label: 'field.id', kind: 'text', hint: 'field.id_hint', invalid: 'invalid.id' };

/** What a record has in these fields. */
export function valuesOf(fields: readonly Field[], record: object): Values {
  const given = record as Record<string, Value | null | undefined>;
  return Object.fromEntries(fields.map(({ name, kind }) => [name, given[name] ?? (kind === 'permissions' ? [] : '')]));
}

/** As it crosses the wire. */
export const wireOf = (value: Value): Value | null => (value === '' ? null : value);

/** The order of a list means nothing. */
export const same = (one: Value | undefined, other: Value | undefined): boolean =>
  JSON.stringify(typeof one === 'object' ? [...one].sort() : one) ===
  JSON.stringify(typeof other === 'object' ? [...other].sort() : other);

/** The faults that stand at a field of this form, by its name. */
export function faultsAt(fields: readonly Field[], error: UserAdministrationError): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const location of error.errors) {
    const at = fieldOf(location);
    const field = fields.find(
      ({ name, kind }) => name === at || (kind === 'places' && /^(workspaces|groups)$/.test(at)),
    );
    if (field) faults[field.name] = error.code === 'field.invalid' && field.invalid ? t(field.invalid) : error.detail;
  }
  return faults;
}

const fieldOf = ({ pointer }: ErrorLocation): string => pointer.split('/')[1] ?? '';

export const STATUS: Field = {
  name: 'status',
  label: 'field.status',
  kind: 'choice',
  options: { active: 'status.active', inactive: 'status.inactive' },
};

/** Why something is done, for the journal. */
export const REASON: Field = { name: 'reason', label: 'field.reason', kind: 'text', hint: 'field.reason_hint' };

/** Places as the value of a field, and back. */
export const valueOf = (places: readonly Place[]): string[] => places.map((place) => JSON.stringify(place));
export const placesOf = (value: Value | undefined): Place[] =>
  typeof value === 'object' ? value.map((each) => JSON.parse(each) as Place) : [];
