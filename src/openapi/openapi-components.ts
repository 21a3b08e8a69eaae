import type { ComponentsObject, HeadersObject, SchemaObject } from '@nestjs/swagger';
import { ERRORS } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../i18n/languages';

const errorStatuses = [...new Set(Object.values(ERRORS).map(({ status }) => status))].sort();

const sentence: SchemaObject = { type: 'string', description: 'One sentence, in the language of the caller.' };

/** What every answer looks like, named for what it says. The types in `contract/answers.ts` are their source. */
const schemas = {
  Success: body({
    status: { type: 'integer', enum: [200], description: 'The HTTP status, as a number.' },
    message: sentence,
  }),
  Refusal: body({
    status: { type: 'integer', enum: errorStatuses, description: 'The HTTP status, as a number.' },
    message: sentence,
  }),
  StatusSuccess: body({ status: { type: 'string', enum: ['success'] }, message: sentence }),
  StatusRefusal: body({ status: { type: 'string', enum: ['error'] }, message: sentence }),
  Problem: {
    type: 'object',
    description: 'Problem details (RFC 9457), for callers that send `Accept: application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', 'code'],
    properties: {
      type: { type: 'string', enum: ['about:blank'], description: 'Branch on `code`.' },
      title: { type: 'string', description: 'The phrase of the HTTP status.' },
      status: { type: 'integer', enum: errorStatuses, description: 'The HTTP status.' },
      detail: { type: 'string', description: 'The sentence, in the language of the caller.' },
      code: {
        type: 'string',
        enum: Object.keys(ERRORS),
        description: [
          'What went wrong, for programs. Codes are never renamed or reused.',
          '',
          ...Object.entries(ERRORS).map(([code, { when }]) => `- \`${code}\`: ${when}`),
        ].join('\n'),
      },
      errors: {
        type: 'array',
        description: 'The places in the body that are at fault.',
        maxItems: LIMITS.errorLocations,
        items: {
          type: 'object',
          required: ['pointer'],
          properties: {
            pointer: { type: 'string', description: 'A JSON pointer (RFC 6901) into the body of the request.' },
            id: { type: 'string', description: 'The id that was found there.' },
          },
        },
      },
    },
  },
} satisfies Record<string, SchemaObject>;

const headers = {
  'X-Request-Id': header('The id of this request: the one that you sent, or a new one. It stands on every log line.'),
  'Content-Language': header('The language of the message.', { enum: [...LANGUAGES] }),
  Vary: header('The request headers that this answer depends on.'),
  Allow: header('The methods that this path takes.'),
  'WWW-Authenticate': header('How to authenticate.', { enum: ['Bearer'] }),
  'Idempotency-Replayed': {
    ...header(
      '`true`: this is the answer to an earlier request with this `Idempotency-Key`, and nothing was done again.',
      {
        enum: ['true'],
      },
    ),
    required: false,
  },
  RateLimit: header('What is left of each limit (`r`), and in how many seconds it is renewed (`t`).'),
  'RateLimit-Policy': header('The limits of fair use: how many requests (`q`) in how many seconds (`w`).'),
  'Retry-After': header('In how many seconds to try again.', { type: 'integer', minimum: 0 }),
} satisfies HeadersObject;

const parameters: ComponentsObject['parameters'] = {
  'accept-language': {
    name: 'accept-language',
    in: 'header',
    required: false,
    description: `The languages that you prefer for the message, with weights (RFC 9110). Spoken here: ${LANGUAGES.join(', ')}. Anything else, or nothing: English.`,
    schema: { type: 'string' },
    examples: Object.fromEntries([...languageExamples(), ['weighted', weighted()]]),
  },
  'x-request-id': {
    name: 'x-request-id',
    in: 'header',
    required: false,
    description: 'An id of your own for this request, to find it again in the log. It comes back on the answer.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\w.:@/+=-]+$' },
  },
  'idempotency-key': {
    name: 'idempotency-key',
    in: 'header',
    required: false,
    description: `A name of your own for this request, such as a UUID in double quotes, so that it is done once however often you send it: see above. At most ${LIMITS.idempotencyKey} characters.`,
    schema: { type: 'string', minLength: 1, maxLength: 2 * LIMITS.idempotencyKey + 2 },
  },
};

export const COMPONENTS = { schemas, headers, parameters };
export type HeaderName = keyof typeof headers;
export type SchemaName = keyof typeof schemas;

function body(properties: Record<'status' | 'message', SchemaObject>): SchemaObject {
  return { type: 'object', required: Object.keys(properties), additionalProperties: false, properties };
}

function header(description: string, schema: SchemaObject = {}) {
  return { description, required: true, schema: { type: 'string', ...schema } };
}

/** English first, because Swagger UI begins with the first example. */
function languageExamples(): [string, { summary: string; value: string }][] {
  const names = new Intl.DisplayNames(FALLBACK_LANGUAGE, { type: 'language' });
  const ordered = [FALLBACK_LANGUAGE, ...LANGUAGES.filter((language) => language !== FALLBACK_LANGUAGE)];
  return ordered.map((language) => [language, { summary: names.of(language) ?? language, value: language }]);
}

function weighted(): { summary: string; value: string } {
  return { summary: 'Swiss German, else French', value: 'de-CH, fr;q=0.8, *;q=0.1' };
}
