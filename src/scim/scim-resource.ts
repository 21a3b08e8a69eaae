import { isStorableText } from '../contract/identifiers';
import { ScimError } from './scim-error';
import { type Attribute, type ResourceType, type Schema } from './scim-schema';
import { attributeOf, isSame, named } from './scim-path';

/** The value of an attribute, as it is kept and answered. */
export type Value = string | boolean | Complex | Complex[];
/** Parts, or a whole resource or extension. Every name is of a schema and in its spelling, so none is `__proto__`. */
export interface Complex {
  [name: string]: Value;
}

/** Values of one attribute that are kept. Members of groups are not. */
export const VALUES = 500;

/**
 * What a body says of a resource, in the spelling of the schemas. What no schema has is left out, and so is what has no value.
 *
 * @throws ScimError `invalidSyntax` for anything but an object, `invalidValue` for a value of another type
 */
export function readResource(body: unknown, type: ResourceType): Complex {
  const resource: Complex = {};
  for (const [name, value] of entriesOf(body)) {
    const extension = type.extensions.find(({ id }) => isSame(id, name));
    const attribute = attributeOf(type.core, type, name);
    if (extension) put(resource, extension.id, readExtension(value, extension));
    else if (attribute) put(resource, attribute.name, readValue(attribute, value));
  }
  return resource;
}

function readExtension(value: unknown, extension: Schema): Complex | undefined {
  return value === null ? undefined : readParts(value, extension.attributes, extension.id);
}

/** @returns undefined for what RFC 7643 section 2.5 takes as no value */
export function readValue(attribute: Attribute, value: unknown): Value | undefined {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readOne(attribute, value);
  const values = (Array.isArray(value) ? value : [value]) as unknown[];
  if (values.length > VALUES && attribute.name !== 'members') throw tooMany(attribute);
  const read = values.map((one) => (one === null ? undefined : readOne(attribute, one)) as Complex | undefined);
  return nonEmpty(read.filter((one) => one !== undefined));
}

/** One value of an attribute, which may have several. */
export function readOne(attribute: Attribute, value: unknown): Value | undefined {
  const { type, name, subAttributes = [] } = attribute;
  if (type === 'complex') {
    const text = named(subAttributes, 'value');
    // A manager can come as text, and so can an address or a member.
    if (typeof value === 'string' && text) return value === '' ? undefined : { value: readText(value, name) };
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
    if (attribute) put(parts, attribute.name, readValue(attribute, part));
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Entra ID sends `"True"` and `"False"`. */
function readBoolean(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || !/^(?:true|false)$/i.test(value)) throw wrong(name);
  return value.toLowerCase() === 'true';
}

function readText(value: unknown, name: string): string {
  if (!isStorableText(value)) throw wrong(name);
  return value;
}

export function entriesOf(body: unknown): [name: string, value: unknown][] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ScimError('invalidSyntax', 'The body is not an object.');
  }
  return Object.entries(body);
}

/** Sets a value, or takes it away. */
export function put(parts: Complex, name: string, value: Value | undefined): void {
  if (value === undefined) delete parts[name];
  else parts[name] = value;
}

export function nonEmpty(values: Complex[]): Complex[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function tooMany({ name }: Attribute): ScimError {
  return new ScimError('invalidValue', `${name} has more than ${VALUES} values.`);
}

export function wrong(name: string): ScimError {
  return new ScimError('invalidValue', `${name} has a value of another type.`);
}
