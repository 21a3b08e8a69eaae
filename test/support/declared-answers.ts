import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

export interface DeclaredResponse {
  description: string;
  headers?: Record<string, { $ref?: string }>;
  content?: Record<
    string,
    { schema: object; example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }
  >;
}

export interface DeclaredOperation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security: unknown[];
  parameters?: { in: string; name: string; description?: string; example?: string }[];
  requestBody?: {
    content: Record<
      string,
      { schema: object; example?: unknown; examples?: Record<string, { summary: string; value: object }> }
    >;
  };
  responses: Record<string, DeclaredResponse>;
}

export interface OpenApiFile {
  info: { version: string };
  paths: Record<string, Record<string, DeclaredOperation>>;
  webhooks: Record<string, { post: { description: string } }>;
  components: {
    schemas: Record<string, object>;
    parameters: Record<string, { examples?: Record<string, { value: string }> }>;
    headers: Record<string, { required: boolean }>;
  };
}

export const OPENAPI_FILE = join(__dirname, '../../openapi.json');

/** The committed document. References to shared responses, parameters and examples are resolved. */
export const openApiFile = withSharedParts(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')));

interface SharingFile extends OpenApiFile {
  components: OpenApiFile['components'] & Record<'responses' | 'parameters' | 'examples', Record<string, unknown>>;
}

function withSharedParts(file: SharingFile): OpenApiFile {
  const inPlace = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    const [, kind, name] =
      /^#\/components\/(responses|parameters|examples)\/(.+)$/.exec(String(Reflect.get(node, '$ref'))) ?? [];
    if (name) return inPlace(file.components[kind as 'responses' | 'parameters' | 'examples'][name]);
    if (Array.isArray(node)) return node.map(inPlace);
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inPlace(value)]));
  };
  return { ...file, paths: inPlace(file.paths) as OpenApiFile['paths'] };
}

/** The deviations of an answer from the committed document: its status, its media type, a header, or its body. */
export function undeclared(method: string, path: string, status: number, headers: Headers, body: string): string[] {
  const operations = openApiFile.paths[path] ?? operationsLike(path);
  // OpenAPI has no place for the verbs that a path does not take: every operation of the path declares their 405.
  const operation = operations?.[method.toLowerCase()] ?? Object.values(operations ?? {})[0];
  if (!operation) return status === 404 ? [] : [`the path ${path} is not declared, and answers ${status}`];
  const response = operation.responses[status];
  if (!response) return [`${operation.operationId} does not declare ${status}`];
  const mediaType = headers.get('content-type')?.split(';', 1)[0] ?? 'none';
  const content = response.content?.[mediaType];
  const declared = Object.entries(response.headers ?? {}).flatMap(([name, { $ref }]) =>
    openApiFile.components.headers[String($ref).split('/').at(-1) as string]?.required ? [name] : [],
  );
  const expected = ['X-Request-Id', ...(isMessage(body) ? MESSAGE_HEADERS : []), ...declared];
  const known = Object.keys(openApiFile.components.headers).filter((header) => !QUOTA_HEADERS.includes(header));
  const surplus = known.filter((header) => headers.has(header) && !response.headers?.[header]);
  const name = `${operation.operationId} ${status}`;
  return [
    ...expected.filter((header) => !headers.has(header)).map((header) => `${name} lacks the header ${header}`),
    ...surplus.map((header) => `${name} does not declare the header ${header}`),
    ...(content ? violations(JSON.parse(body), content.schema) : []),
    ...(content || (!response.content && body === '') ? [] : [`${name} does not declare ${mediaType}`]),
  ];
}

/** The description of the document promises `X-Request-Id` on every answer, and these with every sentence. */
const MESSAGE_HEADERS = ['Content-Language', 'Vary'];

/** The description of the document names these for every answer that is counted, so only a 429 declares them. */
const QUOTA_HEADERS = ['RateLimit', 'RateLimit-Policy'];

function isMessage(body: string): boolean {
  return /"(message|detail)":/.test(body);
}

/**
 * `fetch`, for an answer that the committed document declares: any other fails the test.
 *
 * @example const response = await fetchDeclared(`${service.url}/health/ready`);
 */
export async function fetchDeclared(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const method = init.method ?? 'GET';
  const body = await response.clone().text();
  const problems = undeclared(method, new URL(url).pathname, response.status, response.headers, body);
  if (problems.length > 0)
    throw new Error(`An answer that openapi.json does not declare:\n${problems.join('\n')}\n${body}`);
  return response;
}

/** The declared path, with parameters, that matches this one. */
function operationsLike(path: string): OpenApiFile['paths'][string] | undefined {
  const [, operations] =
    Object.entries(openApiFile.paths).find(([declared]) =>
      new RegExp(`^${declared.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    ) ?? [];
  return operations;
}

/** Strict: a schema with a word or a format that the validator does not know is an error, so no rule is passed over. */
const validator = addFormats(new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }), [
  'date-time',
  'uri',
])
  .addVocabulary(['example', 'components'])
  .addSchema({ components: openApiFile.components }, 'openapi');
const compiled = new Map<string, ValidateFunction>();

/** The deviations of a value from a schema of the document; none if it matches. */
function violations(value: unknown, schema: object): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
  const validate = compiled.get(text) ?? validator.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}
