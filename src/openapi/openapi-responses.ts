import { STATUS_CODES } from 'node:http';
import type { ContentObject, HeadersObject, ReferenceObject, ResponseObject, ResponsesObject } from '@nestjs/swagger';
import type { AnswerKey } from '../contract/answers';
import { type ErrorCode, type ErrorDetails, ERRORS, ServiceError } from '../contract/errors';
import { FALLBACK_LANGUAGE } from '../i18n/languages';
import type { Localizer } from '../i18n/localizer';
import { problem } from '../answers/answers';
import { JSON_TYPE, PROBLEM_TYPE } from '../answers/prefers-problem';
import type { Envelope } from '../answers/envelope';
import { COMPONENTS, type HeaderName, type SchemaName } from './openapi-components';

const MESSAGE_HEADERS: HeaderName[] = ['Content-Language', 'Vary', 'X-Request-Id'];
const HEADERS_OF_STATUS: Partial<Record<number, HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

interface Example {
  summary: string;
  value: object;
}

/** Declares the answers of one route. Their examples are made by the very code that answers, so that they are true to the byte. */
export class DeclaredResponses {
  constructor(
    private readonly envelope: Envelope,
    private readonly localizer: Localizer,
  ) {}

  success(key: AnswerKey): ResponseObject {
    const example = this.envelope.success(this.localizer.translate(`answers.${key}`, FALLBACK_LANGUAGE));
    const schema: SchemaName = typeof example.status === 'number' ? 'Success' : 'StatusSuccess';
    return {
      description: 'Done.',
      headers: headers(MESSAGE_HEADERS),
      content: { [JSON_TYPE]: { schema: ref('schemas', schema), example } },
    };
  }

  /** One response for each status among the codes, with one example for each code. */
  refusals(codes: readonly ErrorCode[], details: Partial<Record<ErrorCode, ErrorDetails>> = {}): ResponsesObject {
    const statuses = new Set(codes.map((code) => ERRORS[code].status));
    return Object.fromEntries(
      [...statuses].map((status) => [
        status,
        this.refusal(
          status,
          codes.flatMap((code) =>
            ERRORS[code].status === status ? [new ServiceError(code, details[code] ?? ERRORS[code].example)] : [],
          ),
        ),
      ]),
    );
  }

  private refusal(status: number, errors: readonly ServiceError[]): ResponseObject {
    const conditions = errors.map(({ code }) => `- \`${code}\`: ${ERRORS[code].when}`);
    return {
      description: [`${STATUS_CODES[status]}.`, '', ...conditions].join('\n'),
      headers: headers([...(HEADERS_OF_STATUS[status] ?? []), ...MESSAGE_HEADERS]),
      content: this.content(errors),
    };
  }

  private content(errors: readonly ServiceError[]): ContentObject {
    const plain: Record<string, Example> = {};
    const problems: Record<string, Example> = {};
    let schema: SchemaName = 'Refusal';
    for (const error of errors) {
      const message = this.localizer.translate(`errors.${error.code}`, FALLBACK_LANGUAGE, error.details.args);
      const value = this.envelope.failure(error, message);
      if (value.status === 'error') schema = 'StatusRefusal';
      plain[error.code] = { summary: error.code, value };
      problems[error.code] = { summary: error.code, value: problem(error, message) };
    }
    return {
      [JSON_TYPE]: { schema: ref('schemas', schema), examples: plain },
      [PROBLEM_TYPE]: { schema: ref('schemas', 'Problem'), examples: problems },
    };
  }
}

export function headers(names: readonly HeaderName[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}

export function ref<K extends keyof typeof COMPONENTS>(
  kind: K,
  name: keyof (typeof COMPONENTS)[K] & string,
): ReferenceObject {
  return { $ref: `#/components/${kind}/${name}` };
}
