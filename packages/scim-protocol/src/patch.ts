import { LIMITS } from './limits';
import { MemberChanges } from './member-changes';
import { ScimRefusal } from './refusal';
import { describedBy, selects } from './filter-match';
import { findPath, named, type PatchOperator, type ResolvedPath, resolvePath } from './path';
import {
  type Complex,
  entriesOf,
  nonEmpty,
  setAttribute,
  readOne,
  readValue,
  requireSmall,
  tooMany,
  type Value,
  withOnePrimary,
  wrong,
} from './resource';
import type { Attribute, ResourceType } from './schema';

interface Operation {
  operator: PatchOperator;
  path?: string;
  value: unknown;
}

export interface Patched {
  resource: Complex;
  /** Of a group, whose members are not among its other attributes. */
  members: MemberChanges;
  /** The attributes of the core schema that the operations name, whatever they make of them. */
  named: ReadonlySet<string>;
}

/**
 * Applies the operations of a PATCH (RFC 7644 section 3.5.2) to a copy of a resource. Only attributes of its schemas change; what else
 * a request names is ignored.
 *
 * @param resource in the spelling of the schemas, as `readResource` returns it
 * @throws ScimRefusal
 */
export function applyPatch(resource: Complex, body: unknown, type: ResourceType): Patched {
  const patch = new Patch(structuredClone(resource), type);
  for (const operation of readOperations(body)) patch.apply(operation);
  return patch;
}

class Patch implements Patched {
  readonly members = new MemberChanges();
  readonly named = new Set<string>();

  constructor(
    readonly resource: Complex,
    private readonly type: ResourceType,
  ) {}

  apply({ operator, path, value }: Operation): void {
    if (path !== undefined) {
      const resolved = resolvePath(path, this.type);
      if (resolved) this.change(operator, resolved, value);
      return;
    }
    if (operator === 'remove') throw new ScimRefusal('noTarget', 'A removal needs a path.');
    // A name in a value can be a path. One that can be none is of no schema.
    for (const [name, part] of entriesOf(value)) {
      const resolved = findPath(name, this.type);
      if (resolved) this.change(operator, resolved, part);
    }
  }

  private change(operator: PatchOperator, path: ResolvedPath, value: unknown): void {
    this.write(operator, path, value);
    if (!path.extension && path.attribute) this.named.add(path.attribute.name);
    // After each change, because a later one reads what an earlier one made.
    if (operator !== 'remove') requireSmall(this.resource);
    const { attribute, part } = path;
    if (attribute?.required && !part && !(attribute.name in this.resource)) {
      throw new ScimRefusal('mutability', `${attribute.name} is required, so it cannot be removed.`);
    }
  }

  private write(operator: PatchOperator, path: ResolvedPath, value: unknown): void {
    const { extension, attribute, filter } = path;
    if (attribute?.name === 'members') {
      if (!filter) refuseToEmpty(operator, path, value);
      if (!path.part || path.part.name === 'value') this.members.apply(operator, attribute, filter, value);
      return;
    }
    const parts = this.partsOf(path);
    if (attribute) {
      const changed = attribute.multiValued
        ? changeSeveral(operator, path, attribute, parts[attribute.name], value)
        : changeOne(operator, path, attribute, parts[attribute.name], value);
      setAttribute(parts, attribute.name, changed);
    } else if (operator !== 'remove' && value !== null) {
      for (const [name, part] of entriesOf(value)) {
        const known = named((extension ?? this.type.core).attributes, name);
        if (known) this.change(operator, { extension, attribute: known }, part);
      }
    } else if (extension) delete this.resource[extension.id];
    if (extension && Object.keys(parts).length === 0) delete this.resource[extension.id];
  }

  /** The resource, or its extension. */
  private partsOf({ extension }: ResolvedPath): Complex {
    if (!extension) return this.resource;
    const parts = this.resource[extension.id] ?? {};
    this.resource[extension.id] = parts;
    return parts as Complex;
  }
}

/**
 * Only an empty list, or a removal of `members` itself, says that a group is to have no members.
 *
 * @throws ScimRefusal
 */
function refuseToEmpty(operator: PatchOperator, { part }: ResolvedPath, value: unknown): void {
  if (operator === 'remove' && part)
    throw new ScimRefusal('invalidPath', `The ${part.name} of all members cannot be removed; members can.`);
  if (operator === 'replace' && (value === undefined || value === null || value === ''))
    throw new ScimRefusal('invalidValue', 'To replace members, value is a list. An empty one takes all members away.');
}

function changeOne(
  operator: PatchOperator,
  { part }: ResolvedPath,
  attribute: Attribute,
  before: Value | undefined,
  value: unknown,
): Value | undefined {
  const given = operator === 'remove' ? undefined : readOneOrNull(part ?? attribute, value);
  if (attribute.type !== 'complex') return given;
  // Parts that no schema has are ignored; no value, or an empty text for a manager, takes the attribute away.
  if (!part && (operator === 'remove' || value === null || value === undefined || value === '')) return undefined;
  const parts: Complex =
    isOther(before as Complex | undefined, given) && !part ? {} : { ...(before as Complex | undefined) };
  if (part) setAttribute(parts, part.name, given);
  else Object.assign(parts, given);
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Whether a value refers to somebody else than before, to whom the other parts do not belong: a manager's name. */
function isOther(before: Complex | undefined, given: Value | undefined): boolean {
  const referred = (given as Complex | undefined)?.['value'];
  return referred !== undefined && referred !== before?.['value'];
}

function changeSeveral(
  operator: PatchOperator,
  { filter, part }: ResolvedPath,
  attribute: Attribute,
  before: Value | undefined,
  value: unknown,
): Complex[] | undefined {
  const values = (before ?? []) as Complex[];
  const isSelected = (one: Complex): boolean => !filter || selects(filter, one, attribute);
  if (!filter && !part) {
    const given = (readValue(attribute, value) ?? []) as Complex[];
    if (operator === 'replace') return nonEmpty(given);
    if (operator === 'add') return joined(values, given, attribute);
    return value === undefined
      ? undefined
      : nonEmpty(values.filter((one) => !given.some((other) => covers(one, other))));
  }
  if (operator === 'remove' && !part) return nonEmpty(values.filter((one) => !isSelected(one)));
  const given = operator === 'remove' ? undefined : readOneOrNull(part ?? attribute, value);
  const selected = values.filter(isSelected);
  // Nothing is taken away from what is not there.
  if (selected.length === 0 && given === undefined) return nonEmpty(values);
  const targets = selected.length > 0 ? selected : [filter ? describedBy(filter, attribute) : {}];
  for (const target of targets) {
    if (part) setAttribute(target, part.name, given);
    else {
      // RFC 7644 section 3.5.2.3: values that are selected are replaced whole.
      if (operator === 'replace' && selected.length > 0) for (const name of Object.keys(target)) delete target[name];
      Object.assign(target, given);
    }
  }
  return checked(selected.length > 0 ? values : [...values, ...targets], targets, attribute);
}

function readOneOrNull(attribute: Attribute, value: unknown): Value | undefined {
  if (value === null || value === undefined) return undefined;
  // Some send the one value of an attribute as a list.
  const isListOfOne = Array.isArray(value) && value.length === 1;
  if (Array.isArray(value) && !isListOfOne) throw wrong(attribute.name);
  return readOne(attribute, isListOfOne ? (value as unknown[])[0] : value);
}

/** What is there already is not added again. */
function joined(values: Complex[], given: Complex[], attribute: Attribute): Complex[] | undefined {
  const known = new Map(values.map((one) => [textOf(one), one]));
  const all = [...values];
  const named = given.map((one) => {
    const before = known.get(textOf(one));
    if (!before) all.push(one);
    return before ?? one;
  });
  return checked(all, named, attribute);
}

function checked(values: Complex[], changed: Complex[], attribute: Attribute): Complex[] | undefined {
  if (values.length > LIMITS.values) throw tooMany(attribute);
  const filled = values.filter((one) => Object.keys(one).length > 0);
  return nonEmpty(withOnePrimary(filled, changed));
}

/** Whether a value has all parts of another. */
function covers(value: Complex, other: Complex): boolean {
  return Object.entries(other).every(([name, part]) => value[name] === part);
}

function textOf(value: Complex): string {
  return JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function readOperations(body: unknown): Operation[] {
  const operations = partNamed(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimRefusal('invalidSyntax', 'Operations is a list with at least one operation.');
  }
  return operations.map((operation: unknown) => {
    const op = partNamed(operation, 'op');
    const given = partNamed(operation, 'path');
    // Some send an empty path for none.
    const path = given === '' || given === null ? undefined : given;
    const operator = typeof op === 'string' ? op.toLowerCase() : op;
    if (operator !== 'add' && operator !== 'remove' && operator !== 'replace') {
      throw new ScimRefusal('invalidSyntax', 'op is add, remove or replace.');
    }
    if (path !== undefined && typeof path !== 'string') throw new ScimRefusal('invalidPath', 'path is text.');
    return { operator, path, value: partNamed(operation, 'value') };
  });
}

function partNamed(body: unknown, name: string): unknown {
  return entriesOf(body).find(([one]) => one.toLowerCase() === name)?.[1];
}
