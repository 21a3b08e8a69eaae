import type { INestApplication } from '@nestjs/common';
import {
  DocumentBuilder,
  type OpenAPIObject,
  type OperationObject,
  type PathsObject,
  type ResponsesObject,
  SwaggerModule,
} from '@nestjs/swagger';
import type { SignInConfig } from '../config/sign-in.config';
import type { AnswerKind } from '../answers/record-headers';
import { Answers, type StatusWords } from '../answers/answers';
import { ERROR_CATALOGUE, type ErrorCatalogue } from '../answers/answers.module';
import { ACTOR_KINDS } from '../contract/journal';
import type { AnyErrorCode, ErrorCode } from '../contract/errors';
import { Localizer } from '../i18n/localizer';
import { type EndpointNotes, NOTES } from './endpoint.decorator';
import { COMPONENTS, type HeaderName, ref } from './openapi-components';
import { ACCESS_TOKEN, DESCRIPTION, ORGANISATION_SIGN_IN, tagsOf } from './openapi-description';
import { discoveryUrl } from '../html-pages/fetch-provider';
import { explained, shareParameters } from './openapi-parameters';
import { DeclaredResponses, headers } from './openapi-responses';
import { schemasOf } from './openapi-schemas';
import { DOCUMENT_PARTS, type DocumentPart, type DocumentParts } from './document-part';
import { DOCUMENTED_KIND } from './record-answers.decorators';

/** As in `package.json`; a `LicenseRef` is how SPDX names a licence that it does not list. */
const LICENCE = { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' };

/** The version of the interface. */
const VERSION = '1.0.0';

const BEARER = 'bearer';
/** The name of the scheme by which people sign in. */
const ORGANISATION = 'organisation';
/**
 * The codes of every route, of routes that identify the caller, of routes with a body, of changes, and of every POST
 * because of its `Idempotency-Key`.
 */
const ANY_ROUTE: ErrorCode[] = ['route.method_not_allowed', 'service.failed'];
const ANY_CALL: ErrorCode[] = ['request.too_frequent', 'query.unknown'];
const ANY_BODY: ErrorCode[] = [
  'body.not_json',
  'body.too_large',
  'body.unsupported',
  'body.encoding_unsupported',
  'field.unknown',
];
const ANY_FILE: ErrorCode[] = ['body.encoding_unsupported'];
const ANY_CHANGE: ErrorCode[] = ['service.outcome_unknown'];
const ANY_POST: ErrorCode[] = ['idempotency.key_invalid', 'idempotency.in_progress', 'idempotency.key_reused'];

/** Codes of many operations. */
const GENERAL = new Set<AnyErrorCode>([
  ...ANY_CALL,
  ...ANY_BODY,
  ...ANY_POST,
  'query.invalid',
  'request.malformed',
  'field.invalid',
  'field.read_only',
  'reason.invalid',
  'request.too_large_to_represent',
]);

type Operation = OperationObject & { [NOTES]?: EndpointNotes; [DOCUMENTED_KIND]?: AnswerKind };

/** The answer to a caller that already has the record. */
const NOT_MODIFIED = {
  description: 'The record still has the version in `If-None-Match`.',
  headers: headers(['ETag']),
};

const HEADERS_OF_KIND: Record<AnswerKind, HeaderName[]> = {
  record: ['ETag'],
  created: ['ETag', 'Location'],
  renamed: ['ETag', 'Location'],
  page: ['Link'],
};

/**
 * The OpenAPI document of the service. It needs no database, and apart from the server and signing in is the same for
 * every configuration.
 *
 * @param server the address of the service; by default that of the document
 * @param signIn where people sign in, if they can
 * @example JSON.stringify(openApiDocument(app));
 */
export function openApiDocument(app: INestApplication, server = '/', signIn?: SignInConfig): OpenAPIObject {
  const { actions, actors, parts } = app.get<DocumentParts>(DOCUMENT_PARTS, { strict: false });
  const errors = app.get<ErrorCatalogue>(ERROR_CATALOGUE, { strict: false });
  const tags = tagsOf(parts.flatMap((part) => part.tags ?? []));
  const ofPlugins = <Kind extends keyof NonNullable<DocumentPart['components']>>(kind: Kind) =>
    Object.assign({}, ...parts.map(({ components }) => components?.[kind])) as NonNullable<
      NonNullable<DocumentPart['components']>[Kind]
    >;
  const document = SwaggerModule.createDocument(app, head(server, signIn), {
    operationIdFactory: (_controller, method) => method,
  });
  const responses = new DeclaredResponses(app.get(Localizer, { strict: false }), GENERAL, errors);
  const answers = app.get(Answers, { strict: false });
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      complete(operation as Operation, responses, answers.wordsOf(path), method);
  if (signIn) offerSignIn(document.paths, signIn);
  const paths = inOrderOfTags(document.paths, tags);
  const components = {
    ...document.components,
    headers: COMPONENTS.headers,
    schemas: {
      ...document.components?.schemas,
      ...schemasOf(
        errors,
        mapped(actions, ({ summary }) => summary),
      ),
      ...ofPlugins('schemas'),
    },
    parameters: { ...shareParameters(paths), ...COMPONENTS.parameters, ...ofPlugins('parameters') },
    responses: { ...responses.shared, not_modified: NOT_MODIFIED, ...ofPlugins('responses') },
    examples: responses.examples,
    requestBodies: ofPlugins('requestBodies'),
  };
  const webhooks = Object.assign({}, ...parts.map((part) => part.webhooks)) as OpenAPIObject['webhooks'];
  return withActors({ ...document, webhooks, tags, paths, components }, actors);
}

function mapped<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

/** Wherever the kinds of actors are listed, those of plugins are, too. */
function withActors(document: OpenAPIObject, actors: readonly string[]): OpenAPIObject {
  if (actors.length === 0) return document;
  const text = (kinds: readonly string[]) => `"enum":${JSON.stringify(kinds)}`;
  const all = JSON.stringify(document).replaceAll(text(ACTOR_KINDS), text([...ACTOR_KINDS, ...actors]));
  return JSON.parse(all) as OpenAPIObject;
}

function head(server: string, signIn: SignInConfig | undefined): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('User Administration Service')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addServer(server, 'This service')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: ACCESS_TOKEN }, BEARER);
  if (signIn) {
    const openIdConnectUrl = discoveryUrl(signIn.issuer);
    builder.addSecurity(ORGANISATION, { type: 'openIdConnect', openIdConnectUrl, description: ORGANISATION_SIGN_IN });
  }
  const document = builder.build();
  const { contact, ...info } = document.info;
  return {
    ...document,
    info: { ...info, license: LICENCE },
    components: { ...document.components, ...COMPONENTS },
  };
}

/** Each operation that takes a token takes one of the identity provider. */
function offerSignIn(paths: PathsObject, { scope }: SignInConfig): void {
  for (const operations of Object.values(paths))
    for (const { security } of Object.values(operations) as OperationObject[])
      if (security?.length) security.push({ [ORGANISATION]: scope.split(' ') });
}

/** Replaces the notes on a route by responses, parameters and examples, and adds what applies to all routes. */
function complete(
  operation: Operation,
  responses: DeclaredResponses,
  words: StatusWords | undefined,
  method: string,
): void {
  const { [NOTES]: notes = {} as Partial<EndpointNotes>, [DOCUMENTED_KIND]: kind } = operation;
  delete operation[NOTES];
  delete operation[DOCUMENTED_KIND];
  const body = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  const refuses = notes.refuses ?? [];
  const isClosed = refuses.some((code) => responses.refusalOf(code).status === 401);
  const isPost = method === 'post';
  const isReadRecord = method === 'get' && kind === 'record';
  const codes: AnyErrorCode[] = [
    ...(isClosed ? ANY_CALL : []),
    ...(notes.files ? ANY_FILE : body ? ANY_BODY : []),
    ...refuses,
    // The database knows the callers.
    ...(isClosed ? ['service.unavailable' as const] : []),
    ...(isClosed && method !== 'get' ? ANY_CHANGE : []),
    ...(isPost ? ANY_POST : []),
    ...ANY_ROUTE,
  ];
  if (notes.examples) for (const media of Object.values(body?.content ?? {})) media.examples = { ...notes.examples };
  for (const [type, example] of Object.entries(notes.files ?? {}))
    if (body) body.content[type] = { schema: { type: 'string', format: 'binary' }, example };
  operation.security = isClosed ? [{ [BEARER]: [] }] : [];
  operation.parameters = [
    ...explained(operation.parameters ?? [], notes),
    ref('parameters', 'accept-language'),
    ...(isReadRecord || refuses.includes('record.changed') ? [ref('parameters', 'if-none-match')] : []),
    ...(refuses.includes('record.changed') ? [ref('parameters', 'if-match')] : []),
    ...(notes.preferences
      ? [ref('parameters', 'prefer')]
      : body && !notes.files
        ? [ref('parameters', 'prefer-strict')]
        : []),
    ...(isPost ? [ref('parameters', 'idempotency-key')] : []),
    ref('parameters', 'x-request-id'),
  ];
  // An answer that always has a result is declared by its class.
  const own =
    notes.answers && !notes.hasResult
      ? { [notes.status ?? 200]: responses.success(notes.answers, words, operation.responses[200]) }
      : operation.responses;
  // A dry run answers no version.
  const isDryRun = (operation.parameters as { name?: string; $ref?: string }[]).some(({ name }) => name === 'dryRun');
  operation.responses = {
    ...withHeaders(own, isDryRun, [
      ...(kind ? HEADERS_OF_KIND[kind] : []),
      ...(body && notes.answers && !notes.files ? ['Preference-Applied' as const] : []),
      ...(isPost ? ['Idempotency-Replayed' as const] : []),
    ]),
    ...(isReadRecord && { 304: { $ref: '#/components/responses/not_modified' } }),
    ...responses.refusals(operation.operationId ?? '', codes, words, notes.refusalArgs),
  };
}

function withHeaders(responses: ResponsesObject, isDryRun: boolean, names: readonly HeaderName[]): ResponsesObject {
  const added = headers(names);
  if (isDryRun && added.ETag) added.ETag = ref('headers', 'ETag-of-change');
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      names.length > 0 && response && 'description' in response
        ? { ...response, headers: { ...response.headers, ...added } }
        : response,
    ]),
  );
}

/** By the order of the tags; within a tag, as the controllers declare them. */
function inOrderOfTags(paths: PathsObject, tags: readonly { name: string }[]): PathsObject {
  const rank = (path: PathsObject[string]) => tags.findIndex(({ name }) => name === tagOf(path));
  return Object.fromEntries(Object.entries(paths).sort(([, a], [, b]) => rank(a) - rank(b)));
}

/** All operations of a path have the same tags. */
function tagOf(path: PathsObject[string]): string | undefined {
  return (Object.values(path) as OperationObject[])[0]?.tags?.[0];
}
