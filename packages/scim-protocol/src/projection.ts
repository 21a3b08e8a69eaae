import { findPath, isSame } from './path';
import type { ResourceType } from './schema';

/** These are answered whatever is asked for. */
const ALWAYS = ['schemas', 'id'];
/** Of every resource, and in no schema. `externalId` is known to `resolvePath`. */
const COMMON = ['schemas', 'id', 'meta'];

/** Names in the spelling of the schemas: of an attribute, or of a part of one. */
type Names = Map<string, Names | undefined>;

/** What a request asks to see of its answer: `attributes`, or else `excludedAttributes` (RFC 7644 section 3.9). */
export class Projection {
  private readonly included?: Names;
  private readonly excluded: Names;

  constructor(query: { attributes?: unknown; excludedAttributes?: unknown }, type: ResourceType) {
    if (isGiven(query.attributes)) this.included = readNames(query.attributes, type);
    this.excluded = readNames(query.excludedAttributes, type);
  }

  /** Whether `attributes` is given. */
  get isAsked(): boolean {
    return this.included !== undefined;
  }

  /** Whether an attribute, or a part of it, is answered. What nobody sees need not be read. */
  has(name: string, byDefault = true): boolean {
    if (ALWAYS.includes(name)) return true;
    if (this.included) return this.included.has(name);
    return byDefault && !(this.excluded.has(name) && this.excluded.get(name) === undefined);
  }

  of(resource: object): object {
    return this.included ? including(resource, this.included) : excluding(resource, this.excluded);
  }
}

function isGiven(names: unknown): boolean {
  return [names].flat().some((name) => typeof name === 'string' && name.trim() !== '');
}

function readNames(given: unknown, type: ResourceType): Names {
  const names: Names = new Map();
  const texts = [given].flat().filter((text) => typeof text === 'string');
  for (const name of texts.flatMap((text) => text.split(','))) add(names, pathOf(name.trim(), type));
  return names;
}

/** The names on the way to an attribute; none for what no schema has. */
function pathOf(name: string, type: ResourceType): string[] {
  const [, common = '', part] = /^(\w+)(?:\.(\w+))?$/.exec(name) ?? [];
  const found = COMMON.find((one) => isSame(one, common));
  if (found) return part === undefined ? [found] : [found, part];
  const { extension, attribute, part: subAttribute } = findPath(name, type) ?? {};
  const path = [extension?.id, attribute?.name, subAttribute?.name];
  return path.filter((one) => one !== undefined);
}

/** A whole attribute wins over a part of it. */
function add(names: Names, [first, ...rest]: string[]): void {
  if (first === undefined) return;
  const parts = names.get(first);
  if (names.has(first) && parts === undefined) return;
  if (rest.length === 0) names.set(first, undefined);
  else {
    const more: Names = parts ?? new Map();
    names.set(first, more);
    add(more, rest);
  }
}

function including(resource: object, names: Names): object {
  return filtered(resource, (name) => ALWAYS.includes(name) || names.has(name), names, including);
}

function excluding(resource: object, names: Names): object {
  const isKept = (name: string): boolean => ALWAYS.includes(name) || !names.has(name) || names.get(name) !== undefined;
  return names.size === 0 ? resource : filtered(resource, isKept, names, excluding);
}

function filtered(
  resource: object,
  isKept: (name: string) => boolean,
  names: Names,
  within: (value: object, parts: Names) => object,
): object {
  const kept = Object.entries(resource).filter(([name]) => isKept(name));
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const parts = names.get(name);
      return [name, parts ? ofParts(value, (one) => within(one, parts)) : value];
    }),
  );
}

function ofParts(value: unknown, of: (one: object) => object): unknown {
  if (Array.isArray(value)) return value.map((one: object) => of(one));
  return typeof value === 'object' && value !== null ? of(value) : value;
}
