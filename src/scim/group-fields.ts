import { LIMITS } from '../contract/limits';
import { isName, isTextOf } from '../contract/record-fields';
import { trimmedName } from './comparable-names';
import { GROUP, GROUP_TYPE } from './group-schema';
import type { KeptGroup } from './kept-group';
import { MemberChanges } from './member-changes';
import { ScimError } from './scim-error';
import { applyPatch } from './scim-patch';
import { isSame, named } from './scim-path';
import { type Complex, entriesOf, readResource } from './scim-resource';

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
  const members = new MemberChanges();
  const given = entriesOf(body).filter(([name]) => !isSame(name, 'members'));
  const [, list] = entriesOf(body).find(([name]) => isSame(name, 'members')) ?? [];
  const attribute = named(GROUP.attributes, 'members');
  if (attribute) members.apply('replace', attribute, undefined, list);
  return fieldsOf(readResource(Object.fromEntries(given), GROUP_TYPE), members);
}

/** @throws ScimError */
export function patchedGroup({ name, externalId }: KeptGroup, body: unknown): GroupFields {
  const before: Complex = { displayName: trimmedName(name), ...(externalId !== null && { externalId }) };
  const { resource, members } = applyPatch(before, body, GROUP_TYPE);
  return fieldsOf(resource, members);
}

function fieldsOf({ displayName, externalId = '' }: Complex, members: MemberChanges): GroupFields {
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
