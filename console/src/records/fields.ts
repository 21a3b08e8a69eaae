import type { NamedKind } from '../names.ts';
import type { Field } from '../ui/fields.ts';
import { PERMISSION_LIST } from './permission-list.tsx';

export const TYPES = {
  guest: 'type.guest',
  member: 'type.member',
  manager: 'type.manager',
  administrator: 'type.administrator',
} as const;

const PERMISSIONS: Field = {
  name: 'permissions',
  label: 'field.permissions',
  kind: PERMISSION_LIST,
  invalid: 'invalid.permissions',
};
const NAME: Field = { name: 'name', label: 'field.name', kind: 'text', invalid: 'invalid.name' };

/** The fields that can be changed. */
export const FIELDS: Readonly<Record<NamedKind, readonly Field[]>> = {
  user: [
    { name: 'displayName', label: 'field.name', kind: 'text', invalid: 'invalid.name' },
    { name: 'email', label: 'field.email', kind: 'text', invalid: 'invalid.email' },
    { ...PERMISSIONS, hint: 'field.permissions_hint' },
    { name: 'activeUntil', label: 'field.active_until', kind: 'end', hint: 'ends.hint', invalid: 'invalid.until' },
  ],
  workspace: [NAME, PERMISSIONS],
  group: [NAME, PERMISSIONS],
  permission: [
    { name: 'description', label: 'field.description', kind: 'long', invalid: 'invalid.description' },
    { name: 'grants', label: 'field.grants', kind: 'choice', options: TYPES, hint: 'field.grants_hint' },
  ],
};

/** The texts of a person besides the name, in the order of the card. */
export const PERSON_TEXTS = FIELDS.user.filter(({ name, kind }) => kind === 'text' && name !== 'displayName');

export const ID: Field = { name: 'id', label: 'field.id', kind: 'text', hint: 'field.id_hint', invalid: 'invalid.id' };

export const STATUS: Field = {
  name: 'status',
  label: 'field.status',
  kind: 'choice',
  options: { active: 'status.active', inactive: 'status.inactive' },
};
