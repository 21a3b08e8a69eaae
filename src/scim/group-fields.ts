import {
  applyPatch,
  type Complex,
  GROUP_TYPE,
  type MemberChanges,
  readGroup,
} from '@user-administration/scim-protocol';
import { LIMITS } from '../contract/limits';
import { isName, isTextOf } from '../contract/record-fields';
import { trimmedName } from './comparable-names';
import { ScimError } from './scim-error';

/** What a request makes of a group. What is undefined stays. */
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
 * What a PATCH makes of a group does not depend on what it is: it has no list but its members.
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
  // It is in an index, which takes no longer texts.
  if (externalId === '' || isTextOf(externalId, 1, LIMITS.email)) return externalId || null;
  throw new ScimError('invalidValue', `externalId has at most ${LIMITS.email} characters.`);
}
