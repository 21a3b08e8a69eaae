import { LIMITS } from './limits';
import { ScimRefusal } from './refusal';
import { type Attribute, type ResourceType, type Schema } from './schema';
import { attributeOf, isSame, named } from './path';

/** The value of an attribute, as it is kept and answered. */
export type Value = string | boolean | Complex | Complex[];
/** Parts, or a whole resource or extension. Every name is of a schema and in its spelling, so none is `__proto__`. */
export interface Complex {
  [name: string]: Value;
}

/**
 * What a body says of a resource, in the spelling of the schemas. What no schema has is left out, and so is what has no value.
 *
 * @throws ScimRefusal `invalidSyntax` for anything but an object, `invalidValue` for a value of another type, 413 for too
 *   large a resource
 */
export function readResource(body: unknown, type: ResourceType): Complex {
  const resource: Complex = {};
  for (const [name, value] of entriesOf(body)) {
    const extension = type.extensions.find(({ id }) => isSame(id, name));
    const attribute = attributeOf(type.core, type, name);
    if (extension) setAttribute(resource, extension.id, readExtension(value, extension));
    else if (attribute) setAttribute(resource, attribute.name, readValue(attribute, value));
  }
  requireSmall(resource);
  return resource;
}

/**
 * A resource is at most as large as a body. A few operations of a PATCH could make a larger one, because they can give
 * one text to 500 values.
 *
 * @throws ScimRefusal 413
 */
export function requireSmall(resource: Complex): void {
  let left: number = LIMITS.resourceBytes;
  const count = (_: string, value: unknown): unknown => {
    // The texts alone end the walk early.
    if (typeof value === 'string' && (left -= Buffer.byteLength(value)) < 0) throw tooLarge();
    return value;
  };
  if (Buffer.byteLength(JSON.stringify(resource, count)) > LIMITS.resourceBytes) throw tooLarge();
}

function readExtension(value: unknown, extension: Schema): Complex | undefined {
  return value === null ? undefined : readParts(value, extension.attributes, extension.id);
}

/** @returns undefined for what RFC 7643 section 2.5 takes as no value */
export function readValue(attribute: Attribute, value: unknown): Value | undefined {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readOne(attribute, value);
  const values = (Array.isArray(value) ? value : [value]) as unknown[];
  if (values.length > LIMITS.values && attribute.name !== 'members') throw tooMany(attribute);
  const all = values.map((one) => (one === null ? undefined : readOne(attribute, one)) as Complex | undefined);
  const read = all.filter((one) => one !== undefined);
  return nonEmpty(withOnePrimary(read, read));
}

/**
 * At most one value is primary: the last one that says so.
 *
 * @param changed the values that a request names; they win over the others
 */
export function withOnePrimary(values: Complex[], changed: readonly Complex[]): Complex[] {
  const isPrimary = (one: Complex): boolean => one.primary === true;
  const last = changed.findLast(isPrimary) ?? values.findLast(isPrimary);
  for (const one of values) if (isPrimary(one) && one !== last) one.primary = false;
  return values;
}

/** One value of an attribute, which may have several. */
export function readOne(attribute: Attribute, value: unknown): Value | undefined {
  const { type, name, subAttributes = [] } = attribute;
  if (type === 'complex') {
    const text = named(subAttributes, 'value');
    // A manager can come as text, and so can an address or a member.
    const isSimple = typeof value === 'string' || typeof value === 'number';
    if (isSimple && text) return value === '' ? undefined : { value: readText(value, name) };
    return readParts(value, subAttributes, name);
  }
  if (type === 'boolean') return readBoolean(value, name);
  return readText(value, name);
}

function readParts(value: unknown, attributes: readonly Attribute[], where: string): Complex | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where);
  const parts: Complex = {};
  for (const [name, part] of Object.entries(value)) {
    const attribute = named(attributes, name);
    if (attribute) setAttribute(parts, attribute.name, readValue(attribute, part));
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Entra ID sends `"True"` and `"False"`, and others 1 and 0. */
function readBoolean(value: unknown, name: string): boolean {
  const read = toBoolean(value);
  if (read === undefined) throw wrong(name);
  return read;
}

/** @returns undefined for what stands for no boolean */
export function toBoolean(value: unknown): boolean | undefined {
  const isSimple = typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number';
  return isSimple ? BOOLEANS.get(String(value).toLowerCase()) : undefined;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** A number stands for its text, such as that of an employee, unless reading the body has already changed it. */
export function readText(value: unknown, name: string): string {
  const isExact = typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  const text = isExact ? String(value) : value;
  if (!isStorable(text)) throw wrong(name);
  return text;
}

/** Databases keep no NUL, and UTF-8 no lone surrogate. */
function isStorable(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

export function entriesOf(body: unknown): [name: string, value: unknown][] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ScimRefusal('invalidSyntax', 'The body is not an object.');
  }
  return Object.entries(body);
}

/** Sets a value, or takes it away. */
export function setAttribute(parts: Complex, name: string, value: Value | undefined): void {
  if (value === undefined) delete parts[name];
  else parts[name] = value;
}

export function nonEmpty(values: Complex[]): Complex[] | undefined {
  return values.length === 0 ? undefined : values;
}

function tooLarge(): ScimRefusal {
  return new ScimRefusal('tooLarge', `A resource has at most ${LIMITS.resourceBytes} bytes.`);
}

export function tooMany({ name }: Attribute): ScimRefusal {
  return new ScimRefusal('invalidValue', `${name} has more than ${LIMITS.values} values.`);
}

export function wrong(name: string): ScimRefusal {
  return new ScimRefusal('invalidValue', `${name} has a value of another type.`);
}
