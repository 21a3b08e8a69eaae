import { ScimRefusal } from './refusal';
import { type FilterNode, parseFilter } from './filter';
import type { Attribute, ResourceType, Schema } from './schema';

export type PatchOperator = 'add' | 'remove' | 'replace';

/** A path of RFC 7644 section 3.5.2, with the attributes that it names. */
export interface ResolvedPath {
  /** The extension whose attribute it is; undefined for the core schema. */
  readonly extension?: Schema;
  /** Undefined for a path that names a whole schema. */
  readonly attribute?: Attribute;
  readonly filter?: FilterNode;
  readonly part?: Attribute;
}

/** Common to every resource (RFC 7643 section 3.1). The others are of the service alone. */
const EXTERNAL_ID: Attribute = {
  name: 'externalId',
  type: 'string',
  description: 'The id of the provider.',
  caseExact: true,
};

const NAME = '[a-z][\\w-]*';
/** A URN, as far as the last colon before a name; a name; a filter in brackets; a part. */
const PATH = new RegExp(`^(?:(urn:[^[\\]"\\s]*):)?(${NAME})(?:\\.(${NAME}|\\$ref))?$`, 'i');
const FILTERED = new RegExp(`^(?:(urn:[^[\\]"\\s]*):)?(${NAME})\\s*\\[([^]*)\\](?:\\.(${NAME}|\\$ref))?$`, 'i');

/**
 * Finds what a path names, whatever its case.
 *
 * @returns undefined for a path of the right form to what no schema has
 * @throws ScimRefusal `invalidPath` for a path of another form
 */
export function resolvePath(path: string, type: ResourceType): ResolvedPath | undefined {
  if (isSame(type.core.id, path)) return {};
  const whole = type.extensions.find(({ id }) => isSame(id, path));
  if (whole) return { extension: whole };
  const [, urn, name = '', filter, part] = match(path);
  const schema = urn === undefined ? type.core : [type.core, ...type.extensions].find(({ id }) => isSame(id, urn));
  const node = filter === undefined ? undefined : parseFilter(filter, 'invalidPath');
  const attribute = schema && attributeOf(schema, type, name);
  if (!attribute) return undefined;
  const isFilterable = attribute.multiValued === true;
  if (node && !isFilterable) throw invalidPath(path);
  const subAttribute = part === undefined ? undefined : named(attribute.subAttributes, part);
  if (part !== undefined && !subAttribute) return undefined;
  const extension = schema === type.core ? undefined : schema;
  return { extension, attribute, filter: node, part: subAttribute };
}

/** As `resolvePath`, for names of which only those that a schema has count. */
export function findPath(name: string, type: ResourceType): ResolvedPath | undefined {
  try {
    return resolvePath(name, type);
  } catch {
    return undefined;
  }
}

/** An attribute of a schema, or one that every resource has. */
export function attributeOf(schema: Schema, type: ResourceType, name: string): Attribute | undefined {
  const common = schema === type.core && isSame(name, EXTERNAL_ID.name) ? EXTERNAL_ID : undefined;
  return common ?? named(schema.attributes, name);
}

export function named(attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined {
  return attributes?.find((attribute) => isSame(attribute.name, name));
}

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function match(path: string): (string | undefined)[] {
  const simple = PATH.exec(path);
  if (simple) return [path, simple[1], simple[2], undefined, simple[3]];
  const filtered = FILTERED.exec(path);
  if (!filtered) throw invalidPath(path);
  return filtered;
}

function invalidPath(path: string): ScimRefusal {
  return new ScimRefusal('invalidPath', `There can be no attribute at ${path.slice(0, 100)}.`);
}
