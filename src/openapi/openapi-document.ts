import type { INestApplication } from '@nestjs/common';
import {
  DocumentBuilder,
  type OpenAPIObject,
  type OperationObject,
  type ResponsesObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { type ErrorCode, ERRORS } from '../contract/errors';
import { Localizer } from '../i18n/localizer';
import { Envelopes } from '../answers/envelope';
import { JSON_TYPE } from '../answers/prefers-problem';
import { type EndpointNotes, NOTES } from './endpoint.decorator';
import { COMPONENTS } from './openapi-components';
import { ACCESS_TOKEN, DESCRIPTION } from './openapi-description';
import { DeclaredResponses, headers, ref } from './openapi-responses';

/** The version of the interface. */
export const VERSION = '1.0.0';

const BEARER = 'bearer';
/** What any route may answer, any that asks who calls, and any that reads a body. */
const ANY_CALL: ErrorCode[] = ['request.too_frequent'];
const ANY_ROUTE: ErrorCode[] = ['route.method_not_allowed', 'service.failed'];
const ANY_BODY: ErrorCode[] = ['body.not_json', 'body.too_large', 'body.unsupported'];

/** What any POST may answer because of its `Idempotency-Key`. */
const ANY_POST: ErrorCode[] = ['idempotency.key_invalid', 'idempotency.in_progress', 'idempotency.key_reused'];

type Operation = OperationObject & { [NOTES]?: EndpointNotes };

/**
 * The OpenAPI document of the service. The same for every configuration, and made without a database.
 *
 * @example writeFileSync('openapi.json', printOpenApi(openApiDocument(app)));
 */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const document = SwaggerModule.createDocument(app, head(), { operationIdFactory: (_controller, method) => method });
  const localizer = app.get(Localizer, { strict: false });
  const envelopes = app.get(Envelopes, { strict: false });
  for (const [path, { get, post, put, patch, delete: remove }] of Object.entries(document.paths)) {
    for (const operation of [get, post, put, patch, remove])
      if (operation) complete(operation, new DeclaredResponses(envelopes.of(path), localizer), operation === post);
  }
  return document;
}

/** The text of `openapi.json`. */
export function printOpenApi(document: OpenAPIObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function head(): Omit<OpenAPIObject, 'paths'> {
  const document = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle('User Administration Service')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addServer('/', 'This service')
    .addTag('Users', 'Assign users, and manage their status.')
    .addTag('Journal', 'Who did what, and when.')
    .addTag('Webhooks', 'Be told of changes.')
    .addTag('Health', 'For whoever runs the service. No token is asked for.')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: ACCESS_TOKEN }, BEARER)
    .build();
  return { ...document, components: { ...document.components, ...COMPONENTS } };
}

/** Puts in the place of the notes on a route what they say, and what holds for all. */
function complete(operation: Operation, responses: DeclaredResponses, isPost: boolean): void {
  const notes: Partial<EndpointNotes> = operation[NOTES] ?? {};
  delete operation[NOTES];
  const body = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody : undefined;
  const refuses = notes.refuses ?? [];
  const isClosed = refuses.some((code) => ERRORS[code].status === 401);
  const codes = [
    ...(isClosed ? ANY_CALL : []),
    ...(body ? ANY_BODY : []),
    ...refuses,
    ...(isPost ? ANY_POST : []),
    ...ANY_ROUTE,
  ];
  const json = body?.content[JSON_TYPE];
  if (json && notes.examples) json.examples = { ...notes.examples };
  operation.security = isClosed ? [{ [BEARER]: [] }] : [];
  operation.parameters = [
    ...(operation.parameters ?? []),
    ref('parameters', 'accept-language'),
    ref('parameters', 'x-request-id'),
    ...(isPost ? [ref('parameters', 'idempotency-key')] : []),
  ];
  operation.responses = {
    ...withRequestId(operation.responses),
    ...(notes.answers && { 200: responses.success(notes.answers) }),
    ...responses.refusals(codes, notes.details),
  };
  const success = operation.responses[200];
  if (isPost && success && 'description' in success) {
    success.headers = { ...success.headers, ...headers(['Idempotency-Replayed']) };
  }
}

/** What a route declares of its own. */
function withRequestId(responses: ResponsesObject): ResponsesObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      response && 'description' in response ? { ...response, headers: headers(['X-Request-Id']) } : response,
    ]),
  );
}
