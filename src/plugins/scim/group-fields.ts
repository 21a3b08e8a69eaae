import {
  applyPatch,
  type Complex,
  GROUP_TYPE,
  type MemberChanges,
  readGroup,
} from '@user-administration/scim-protocol';
import { LIMITS } from '../door';
import { INVISIBLE } from '../../contract/identifiers';
import { isName, isTextOf } from '../../contract/field.rules';
import { ScimError } from './scim-error';

const IS_INVISIBLE = new RegExp(INVISIBLE, 'u');
const INVISIBLES = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
  .filter((character) => IS_INVISIBLE.test(character))
  .join('');

/** The name of a group as SCIM answers and compares it: without invisible characters at its ends. */
export function trimmedName(name: string): string {
  let [start, end] = [0, name.length];
  while (start < end && IS_INVISIBLE.test(name.charAt(start))) start++;
  while (start < end && IS_INVISIBLE.test(name.charAt(end - 1))) end--;
  return name.slice(start, end);
}

/** {@link trimmedName} in SQL, folded: names are compared without their case. */
export const comparableName = (name: string): string => `fold_case(btrim(${name}, '${INVISIBLES}'))`;

/** The changes that a request makes to a group. An undefined field stays. */
export interface GroupChange {
  name: string | undefined;
  externalId: string | null | undefined;
  members: MemberChanges;
}

/**
 * The fields of a whole group, for a POST or a PUT. Without a list of members, no member stays.
 *
 * @throws ScimError
 */
export function groupFieldsOf(body: unknown) {
  const { resource, members } = readGroup(body);
  return { name: nameIn(resource), externalId: externalIdIn(resource), members };
}

/**
 * The changes of a PATCH. They do not depend on the group, because it has no list but its members.
 *
 * @throws ScimError
 */
export function patchedGroup(body: unknown): GroupChange {
  const { resource, named, members } = applyPatch({ displayName: '-' }, body, GROUP_TYPE);
  return {
    name: named.has('displayName') ? nameIn(resource) : undefined,
    externalId: named.has('externalId') ? externalIdIn(resource) : undefined,
    members,
  };
}

function nameIn({ displayName }: Complex): string {
  const name = typeof displayName === 'string' ? trimmedName(displayName) : undefined;
  if (isName(name)) return name;
  throw new ScimError('invalidValue', `displayName is required, with 1 to ${LIMITS.name} characters.`);
}

function externalIdIn({ externalId = '' }: Complex): string | null {
  // An index stores it, and has a limit.
  if (externalId === '' || isTextOf(externalId, 1, LIMITS.email)) return externalId || null;
  throw new ScimError('invalidValue', `externalId has at most ${LIMITS.email} characters.`);
}
