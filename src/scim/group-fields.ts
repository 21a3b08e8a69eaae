import { LIMITS } from '../contract/limits';
import { isName } from '../contract/record-fields';
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
 * The fields of a whole group, for a POST or a PUT. Members that are not given stay.
 *
 * @throws ScimError
 */
export function groupFieldsOf(body: unknown): GroupFields {
  const members = new MemberChanges();
  const given = entriesOf(body).filter(([name]) => !isSame(name, 'members'));
  const [, list] = entriesOf(body).find(([name]) => isSame(name, 'members')) ?? [];
  const attribute = named(GROUP.attributes, 'members');
  if (attribute && list !== undefined && list !== null) members.apply('replace', attribute, undefined, list);
  return fieldsOf(readResource(Object.fromEntries(given), GROUP_TYPE), members);
}

/** @throws ScimError */
export function patchedGroup({ name, externalId }: KeptGroup, body: unknown): GroupFields {
  const before: Complex = { displayName: name, ...(externalId !== null && { externalId }) };
  const { resource, members } = applyPatch(before, body, GROUP_TYPE);
  return fieldsOf(resource, members);
}

function fieldsOf({ displayName, externalId }: Complex, members: MemberChanges): GroupFields {
  if (!isName(displayName)) {
    throw new ScimError('invalidValue', `displayName is required, with 1 to ${LIMITS.name} characters.`);
  }
  return { name: displayName, externalId: typeof externalId === 'string' ? externalId : null, members };
}
