import {
  applyPatch,
  type Complex,
  GROUP_TYPE,
  type MemberChanges,
  type Patched,
  readGroup,
} from '@user-administration/scim-protocol';
import { LIMITS } from '../contract/limits';
import { isName, isTextOf } from '../contract/record-fields';
import { trimmedName } from './comparable-names';
import type { KeptGroup } from './kept-group';
import { ScimError } from './scim-error';

/** What a request makes of a group. */
export interface GroupFields {
  name: string;
  externalId: string | null;
  members: MemberChanges;
}

/**
 * The fields of a whole group, for a POST or a PUT. Without a list of members, no member stays.
 *
 * @throws ScimError
 */
export function groupFieldsOf(body: unknown): GroupFields {
  return fieldsOf(readGroup(body));
}

/** @throws ScimError */
export function patchedGroup({ name, externalId }: KeptGroup, body: unknown): GroupFields {
  const before: Complex = { displayName: trimmedName(name), ...(externalId !== null && { externalId }) };
  return fieldsOf(applyPatch(before, body, GROUP_TYPE));
}

function fieldsOf({ resource, members }: Patched): GroupFields {
  const { displayName, externalId = '' } = resource;
  const name = typeof displayName === 'string' ? trimmedName(displayName) : undefined;
  if (!isName(name)) {
    throw new ScimError('invalidValue', `displayName is required, with 1 to ${LIMITS.name} characters.`);
  }
  // It is in an index, which takes no longer texts.
  if (externalId !== '' && !isTextOf(externalId, 1, LIMITS.email)) {
    throw new ScimError('invalidValue', `externalId has at most ${LIMITS.email} characters.`);
  }
  return { name, externalId: externalId || null, members };
}
