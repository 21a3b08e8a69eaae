import type { HeadersObject, ParameterObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { ERRORS } from '../contract/errors';
import { JOURNAL_ACTION_SUMMARIES, JOURNAL_ACTIONS, type JournalAction } from '../contract/journal';
import { LIMITS } from '../contract/limits';
import { PATCH_TYPES } from '../server/read-body';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../i18n/languages';
import { WEBHOOK_EVENT_TYPES } from '../contract/webhooks';
import { headerParameter, WEBHOOK_EVENT, WEBHOOK_HEADERS } from './openapi-webhooks';

const errorStatuses = [...new Set(Object.values(ERRORS).map(({ status }) => status))].sort();

const STRICT = 'handling=strict';

const sentence: SchemaObject = { type: 'string', description: 'One sentence, in the language of the caller.' };

/** The bodies of answers. Their types are in `contract/`. */
const schemas = {
  Refusal: withLines(
    body({
      status: { type: 'integer', enum: errorStatuses, description: 'The HTTP status, as a number.' },
      message: sentence,
    }),
  ),
  StatusSuccess: body({ status: { type: 'string', enum: ['success'] }, message: sentence }),
  StatusRefusal: body({ status: { type: 'string', enum: ['error'] }, message: sentence }),
  Problem: {
    type: 'object',
    description: 'Problem details (RFC 9457), for callers that send `Accept: application/problem+json`.',
    example: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'Please select a valid User.',
      code: 'user.invalid',
      errors: [{ pointer: '/userIds/1', id: 'nobody' }],
    },
    required: ['type', 'title', 'status', 'detail', 'code'],
    properties: {
      type: { type: 'string', enum: ['about:blank'], description: 'Constant. Programs branch on `code`.' },
      title: { type: 'string', description: 'The phrase of the HTTP status.' },
      status: { type: 'integer', enum: errorStatuses, description: 'The HTTP status.' },
      detail: { type: 'string', description: 'The message, in the language of the caller.' },
      code: {
        type: 'string',
        enum: Object.keys(ERRORS),
        description: 'The error code for programs. Codes are never renamed or reused.',
      },
      errors: {
        type: 'array',
        description: 'The positions of the error in the body, or the bad lines of a file.',
        maxItems: LIMITS.errorLocations,
        items: {
          type: 'object',
          properties: {
            pointer: { type: 'string', description: 'A JSON pointer (RFC 6901) into the body of the request.' },
            id: { type: 'string', description: 'The id at this position.' },
            line: { type: 'integer', description: 'A line of a file.' },
            message: { type: 'string' },
          },
        },
      },
    },
  },
  WebhookEvent: WEBHOOK_EVENT,
  // Nest knows the names of these enums, but not the meaning of their values.
  JournalAction: {
    type: 'string',
    enum: [...JOURNAL_ACTIONS],
    description: ['The kind of change.', '', ...JOURNAL_ACTIONS.map(actionItem)].join('\n'),
  },
  WebhookEventType: {
    type: 'string',
    enum: [...WEBHOOK_EVENT_TYPES],
    description: 'An action of the journal for which a webhook can be registered.',
  },
} satisfies Record<string, SchemaObject>;

const headers = {
  ETag: header('The version of the record. Send it as `If-Match` to change only this version.'),
  'ETag-of-change': optional(header('The version of the record. A dry run has none.')),
  Location: header('The path of the new record.'),
  Link: optional(header('The address of the next page, with `rel="next"` (RFC 8288). Absent on the last page.')),
  Allow: header('The methods that this path supports.'),
  'Accept-Encoding': optional(
    header('Present if the encoding of the body is the reason: send the body without encoding.', {
      enum: ['identity'],
    }),
  ),
  'Accept-Patch': optional(header('Present on a PATCH: the media types of its body.', { enum: [PATCH_TYPES] })),
  'WWW-Authenticate': header('How to authenticate, and whether a token was sent that is not valid.', {
    enum: ['Bearer', 'Bearer error="invalid_token"'],
  }),
  'Preference-Applied': optional(header('The applied preferences (RFC 7240).')),
  'Idempotency-Replayed': optional(
    header('This is the answer to an earlier request with the same `Idempotency-Key`. Nothing was changed again.', {
      enum: ['true'],
    }),
  ),
  RateLimit: header('The remaining requests of each limit (`r`), and the seconds until its window ends (`t`).'),
  'RateLimit-Policy': header('The limits of fair use: requests (`q`) in each window of seconds (`w`).'),
  'Retry-After': optional(
    header('The seconds to wait before a retry. Absent if a retry could make a change twice.', {
      type: 'integer',
      minimum: 0,
    }),
  ),
} satisfies HeadersObject;

/** Header parameters of operations. */
const parameters = {
  'accept-language': optional({
    ...headerParameter('accept-language', 'The languages for the message, best first.'),
    examples: Object.fromEntries([
      ...languageExamples(),
      ['weighted', { summary: 'Swiss German, otherwise French', value: 'de-CH, fr;q=0.8, *;q=0.1' }],
    ]),
  }),
  'x-request-id': optional({
    ...headerParameter('x-request-id', 'Your own id for this request, to find it in the log.'),
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\w.:@/+=-]+$' },
  }),
  'if-match': optional(headerParameter('if-match', 'The `ETag` of the version that you want to read or change.')),
  'if-none-match': optional(
    headerParameter(
      'if-none-match',
      'The `ETag` of a version that you have, or `*`. A read of it is answered 304, and a change of it is refused.',
    ),
  ),
  prefer: optional({
    ...headerParameter('prefer', 'Preferences (RFC 7240). Unknown ones are ignored.'),
    // Swagger UI begins with the first example.
    examples: {
      strict: { summary: 'All or nothing, and no unknown field', value: STRICT },
      representation: { summary: 'Return the changes', value: `return=representation, ${STRICT}` },
      lenient: { summary: 'Skip unknown ids, and list them', value: 'handling=lenient' },
      none: { summary: 'Ignore unknown fields', value: '' },
    },
  }),
  'prefer-strict': optional({
    ...headerParameter('prefer', `\`${STRICT}\` refuses unknown fields of the body. Other preferences are ignored.`),
    examples: {
      strict: { summary: 'Refuse unknown fields', value: STRICT },
      none: { summary: 'Ignore unknown fields', value: '' },
    },
  }),
  'idempotency-key': optional({
    ...headerParameter('idempotency-key', 'A new UUID for each change makes retries safe.'),
    schema: { type: 'string', minLength: 1, maxLength: 2 * LIMITS.idempotencyKey + 2 },
  }),
  ...WEBHOOK_HEADERS,
} satisfies Record<string, ParameterObject>;

export const COMPONENTS = { schemas, headers, parameters };
export type HeaderName = keyof typeof headers;
export type SchemaName = keyof typeof schemas;

export function ref<K extends keyof typeof COMPONENTS>(
  kind: K,
  name: keyof (typeof COMPONENTS)[K] & string,
): ReferenceObject {
  return { $ref: `#/components/${kind}/${name}` };
}

function body(properties: Record<'status' | 'message', SchemaObject>): SchemaObject {
  return { type: 'object', required: Object.keys(properties), additionalProperties: false, properties };
}

/** A refusal of a file has its bad lines. */
function withLines(refusal: SchemaObject): SchemaObject {
  const properties = { line: { type: 'integer' }, message: { type: 'string' } } as const;
  const errors: SchemaObject = { type: 'array', items: { type: 'object', required: ['line', 'message'], properties } };
  return { ...refusal, properties: { ...refusal.properties, errors } };
}

function actionItem(action: JournalAction): string {
  return `- \`${action}\`: ${JOURNAL_ACTION_SUMMARIES[action]}.`;
}

function header(description: string, schema: SchemaObject = {}) {
  return { description, required: true, schema: { type: 'string', ...schema } };
}

function optional<Part extends { required: boolean }>(part: Part): Part {
  return { ...part, required: false };
}

/** English first, because Swagger UI begins with the first example. */
function languageExamples(): [string, { summary: string; value: string }][] {
  const names = new Intl.DisplayNames(FALLBACK_LANGUAGE, { type: 'language' });
  const ordered = [FALLBACK_LANGUAGE, ...LANGUAGES.filter((language) => language !== FALLBACK_LANGUAGE)];
  return ordered.map((language) => [language, { summary: names.of(language) ?? language, value: language }]);
}
