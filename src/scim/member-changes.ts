import { LIMITS } from '../contract/limits';
import { ScimError } from './scim-error';
import type { FilterNode } from './scim-filter';
import type { PatchOperator } from './scim-path';
import { readValue, wrong } from './scim-resource';
import type { Attribute } from './scim-schema';

/** Members that one request can name. */
const MEMBERS = 10 * LIMITS.users;

/** What the operations of a PATCH do to the members of a group, as sets of ids: the later operation wins. */
export class MemberChanges {
  /** Whether none of the members before stays, but for those that are added. */
  cleared = false;
  readonly added = new Set<string>();
  readonly removed = new Set<string>();

  get isEmpty(): boolean {
    return !this.cleared && this.added.size === 0 && this.removed.size === 0;
  }

  /** @param filter of the path, which selects members by id */
  apply(operator: PatchOperator, attribute: Attribute, filter: FilterNode | undefined, value: unknown): void {
    const selected = filter && idsIn(filter);
    const given = memberIds(value, attribute);
    if (operator === 'remove') {
      if (!selected && (value === undefined || value === null)) this.clear();
      for (const id of selected ?? given) this.remove(id);
      return;
    }
    if (operator === 'replace' && !selected) this.clear();
    if (operator === 'replace' && given.length > 0) for (const id of selected ?? []) this.remove(id);
    for (const id of selected && given.length === 0 ? selected : given) this.add(id);
  }

  private clear(): void {
    this.cleared = true;
    this.added.clear();
    this.removed.clear();
  }

  private add(id: string): void {
    this.removed.delete(id);
    this.added.add(id);
    this.requireFew();
  }

  private remove(id: string): void {
    this.added.delete(id);
    if (!this.cleared) this.removed.add(id);
    this.requireFew();
  }

  private requireFew(): void {
    if (this.added.size + this.removed.size > MEMBERS) throw tooManyMembers();
  }
}

/**
 * The ids of a list of members.
 *
 * @throws ScimError `invalidValue` for a member without an id, and for a group
 */
export function memberIds(value: unknown, attribute: Attribute): string[] {
  if (Array.isArray(value) && value.length > MEMBERS) throw tooManyMembers();
  const members = readValue(attribute, value) ?? [];
  if (!Array.isArray(members)) throw wrong(attribute.name);
  return members.map(({ value: id, type }) => {
    if (typeof type === 'string' && type.toLowerCase() === 'group') {
      throw new ScimError('invalidValue', 'A group cannot be a member of a group.');
    }
    if (typeof id !== 'string') throw new ScimError('invalidValue', 'A member has no value.');
    return id;
  });
}

function idsIn(filter: FilterNode): string[] {
  if (filter.op === 'or') return filter.nodes.flatMap(idsIn);
  if (filter.op === 'eq' && filter.attribute.toLowerCase() === 'value' && typeof filter.value === 'string') {
    return [filter.value];
  }
  throw new ScimError('invalidPath', 'Members are selected by value, such as members[value eq "ada"].');
}

function tooManyMembers(): ScimError {
  return new ScimError('invalidValue', `A request names at most ${MEMBERS} members.`);
}
