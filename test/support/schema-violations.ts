import { isDeepStrictEqual } from 'node:util';

/** The words of OpenAPI 3.0 schemas that the document uses for what the service answers. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  enum?: unknown[];
  format?: string;
  nullable?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  items?: Schema;
  minimum?: number;
  maxItems?: number;
  description?: string;
  example?: unknown;
}

const KNOWN_WORDS = new Set<string>([
  ...['$ref', 'allOf', 'type', 'enum', 'format', 'nullable', 'required', 'properties', 'additionalProperties', 'items'],
  ...['minimum', 'maxItems', 'description', 'example'],
]);

const IS_OF_TYPE: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/**
 * How a value goes against a schema; nothing when it is as declared. A schema that says more than is understood here is a
 * violation too, so that no rule is passed over in silence.
 */
export function schemaViolations(value: unknown, schema: Schema, resolve: (ref: string) => Schema, at = ''): string[] {
  if (schema.$ref) return schemaViolations(value, resolve(schema.$ref), resolve, at);
  const unknown = Object.keys(schema).filter((word) => !KNOWN_WORDS.has(word));
  if (unknown.length > 0) return [`${at}: the schema says ${unknown.join(', ')}, which is not understood`];
  if (value === null && schema.nullable) return [];
  if (schema.type && !IS_OF_TYPE[schema.type]?.(value)) return [`${at}: ${JSON.stringify(value)} is no ${schema.type}`];
  return [
    ...(schema.allOf ?? []).flatMap((part) => schemaViolations(value, part, resolve, at)),
    ...(schema.enum && !schema.enum.some((one) => isDeepStrictEqual(one, value))
      ? [`${at}: ${JSON.stringify(value)} is none of ${JSON.stringify(schema.enum)}`]
      : []),
    ...(schema.minimum !== undefined && Number(value) < schema.minimum ? [`${at}: ${value} is too little`] : []),
    ...(schema.format === 'date-time' && Number.isNaN(Date.parse(String(value))) ? [`${at}: no date and time`] : []),
    ...(schema.type === 'array' ? arrayViolations(value as unknown[], schema, resolve, at) : []),
    ...(schema.type === 'object' ? objectViolations(value as Record<string, unknown>, schema, resolve, at) : []),
  ];
}

function arrayViolations(value: unknown[], schema: Schema, resolve: (ref: string) => Schema, at: string): string[] {
  const { items, maxItems } = schema;
  return [
    ...(maxItems !== undefined && value.length > maxItems ? [`${at}: more than ${maxItems} items`] : []),
    ...(items ? value.flatMap((item, index) => schemaViolations(item, items, resolve, `${at}/${index}`)) : []),
  ];
}

function objectViolations(
  value: Record<string, unknown>,
  schema: Schema,
  resolve: (ref: string) => Schema,
  at: string,
): string[] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  return [
    ...required.filter((key) => !(key in value)).map((key) => `${at}/${key}: is missing`),
    ...Object.entries(value).flatMap(([key, member]) => {
      const declared = properties[key];
      if (declared) return schemaViolations(member, declared, resolve, `${at}/${key}`);
      return additionalProperties ? [] : [`${at}/${key}: is not declared`];
    }),
  ];
}
