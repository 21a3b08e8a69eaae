import { LIMITS } from './limits';
import { ScimRefusal } from './refusal';
import type { FilterNode } from './filter';
import type { PatchOperator } from './path';
import { readValue, wrong } from './resource';
import type { Attribute } from './schema';

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
    if (this.added.size + this.removed.size > LIMITS.members) throw tooManyMembers();
  }
}

/**
 * The ids of a list of members.
 *
 * @throws ScimRefusal `invalidValue` for a member without an id, and for a group
 */
export function memberIds(value: unknown, attribute: Attribute): string[] {
  if (Array.isArray(value) && value.length > LIMITS.members) throw tooManyMembers();
  const members = readValue(attribute, value) ?? [];
  if (!Array.isArray(members)) throw wrong(attribute.name);
  // Reading leaves out what is empty. To a list of members, an empty one would say that there are fewer.
  const sent = Array.isArray(value) ? value.length : typeof value === 'object' && value !== null ? 1 : 0;
  if (members.length < sent) throw new ScimRefusal('invalidValue', 'A member has no value.');
  return members.map(({ value: id, type }) => {
    if (typeof type === 'string' && type.toLowerCase() === 'group') {
      throw new ScimRefusal('invalidValue', 'A group cannot be a member of a group.');
    }
    if (typeof id !== 'string') throw new ScimRefusal('invalidValue', 'A member has no value.');
    return id;
  });
}

function idsIn(filter: FilterNode): string[] {
  if (filter.op === 'or') return filter.nodes.flatMap(idsIn);
  if (filter.op === 'eq' && filter.attribute.toLowerCase() === 'value' && typeof filter.value === 'string') {
    return [filter.value];
  }
  throw new ScimRefusal('invalidPath', 'Members are selected by value, such as members[value eq "ada"].');
}

function tooManyMembers(): ScimRefusal {
  return new ScimRefusal('invalidValue', `A request names at most ${LIMITS.members} members.`);
}
