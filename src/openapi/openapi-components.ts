import type { HeadersObject, ParameterObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { LIMITS } from '../contract/limits';
import { PATCH_TYPES } from '@user-administration/http';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../i18n/languages';
import { headerParameter } from './header-parameter';
import type { SchemaName } from './openapi-schemas';

const STRICT = 'handling=strict';

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
} satisfies Record<string, ParameterObject>;

export const COMPONENTS = { headers, parameters };
export type HeaderName = keyof typeof headers;

interface Names {
  schemas: SchemaName;
  headers: HeaderName;
  parameters: keyof typeof parameters;
}

export function ref<K extends keyof Names>(kind: K, name: Names[K]): ReferenceObject {
  return { $ref: `#/components/${kind}/${name}` };
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
