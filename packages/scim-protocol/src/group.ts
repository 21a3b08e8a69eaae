import { GROUP, GROUP_TYPE } from './group-schema';
import { MemberChanges } from './member-changes';
import type { Patched } from './patch';
import { isSame, named } from './path';
import { entriesOf, readResource } from './resource';

/**
 * What a body says of a whole group. Its members are not among its other attributes: there can be many, and each is only an id.
 * Without a list of members, no member stays.
 *
 * @throws ScimRefusal
 */
export function readGroup(body: unknown): Pick<Patched, 'resource' | 'members'> {
  const members = new MemberChanges();
  const isMembers = ([name]: [string, unknown]): boolean => isSame(name, 'members');
  const [, list] = entriesOf(body).find(isMembers) ?? [];
  const attribute = named(GROUP.attributes, 'members');
  if (attribute) members.apply('replace', attribute, undefined, list);
  const others = entriesOf(body).filter((entry) => !isMembers(entry));
  return { resource: readResource(Object.fromEntries(others), GROUP_TYPE), members };
}
