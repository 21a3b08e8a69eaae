import { STATUS_CODES } from 'node:http';
import type {
  ExampleObject,
  ExamplesObject,
  HeadersObject,
  ReferenceObject,
  ResponseObject,
  ResponsesObject,
} from '@nestjs/swagger';
import type { StatusWords } from '../answers/answers';
import { JSON_TYPE, PROBLEM_TYPE } from '@user-administration/http';
import type { AnswerKey } from '../contract/answers';
import type { AnyErrorCode, ErrorDetails, Refusal } from '../contract/errors';
import { FALLBACK_LANGUAGE } from '../i18n/languages';
import type { Localizer } from '../i18n/localizer';
import type { EndpointNotes } from './endpoint.decorator';
import { type HeaderName, ref } from './openapi-components';
import type { SchemaName } from './openapi-schemas';

type RefusalArgs = NonNullable<EndpointNotes['refusalArgs']>;

/** Headers of every answer are in the description of the document. */
const HEADERS_OF_STATUS: Partial<Record<number, HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  415: ['Accept-Encoding', 'Accept-Patch'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/**
 * Declares the answers of operations. The examples use the service's own sentences and the format of the route, so they
 * are exact. Refusals are in `components`, because many operations share them: with a declaration for each operation,
 * they made up three quarters of the document.
 */
export class DeclaredResponses {
  /** The shared responses by name, for `components`. */
  readonly shared: Record<string, ResponseObject> = {};
  /** The shared examples by code, for `components`. */
  readonly examples: Record<string, ExampleObject> = {};

  /** @param general the codes of many operations, whose example stands in `components` */
  constructor(
    private readonly localizer: Localizer,
    private readonly general: ReadonlySet<AnyErrorCode>,
    private readonly catalogue: Readonly<Record<string, Refusal>>,
  ) {}

  /** @throws Error for a code that neither the service nor a plugin of the app declares */
  refusalOf(code: AnyErrorCode): Refusal {
    const refusal = this.catalogue[code];
    if (!refusal) throw new Error(`A route names the refusal "${code}", which nobody declares.`);
    return refusal;
  }

  /** @param declared the route's own declaration. Without one, its format is that of manage-status */
  success(key: AnswerKey, words: StatusWords | undefined, declared?: ResponseObject | ReferenceObject): ResponseObject {
    const example = {
      status: words?.success ?? 200,
      message: this.localizer.sentence('answers', key, FALLBACK_LANGUAGE).text,
    };
    const own = declared && 'content' in declared ? declared.content?.[JSON_TYPE]?.schema : undefined;
    return {
      description: 'Done.',
      content: { [JSON_TYPE]: { schema: own ?? ref('schemas', 'StatusSuccess'), example } },
    };
  }

  /** One response for each status among the codes, with one example for each code. */
  refusals(
    operationId: string,
    codes: readonly AnyErrorCode[],
    words: StatusWords | undefined,
    args: RefusalArgs = {},
  ): ResponsesObject {
    const statuses = new Set(codes.map((code) => this.refusalOf(code).status));
    return Object.fromEntries(
      [...statuses].map((status) => {
        const ofStatus = [...new Set(codes)].filter((code) => this.refusalOf(code).status === status);
        const [first, ...others] = ofStatus;
        const isGeneral = first && others.length === 0 && words === undefined;
        // Most operations refer to these, so their names are short.
        const general = String(status) in this.shared ? first : String(status);
        const name = (isGeneral && general) || `${operationId}.${status}`;
        return [status, this.share(name, this.refusal(status, ofStatus, words, args))];
      }),
    );
  }

  /** Refers to an equal response, if there is one. */
  private share(name: string, response: ResponseObject): ReferenceObject {
    const text = JSON.stringify(response);
    const equal = Object.keys(this.shared).find((other) => JSON.stringify(this.shared[other]) === text);
    if (!equal) this.shared[name] = response;
    return { $ref: `#/components/responses/${equal ?? name}` };
  }

  private refusal(
    status: number,
    codes: readonly AnyErrorCode[],
    words: StatusWords | undefined,
    args: RefusalArgs,
  ): ResponseObject {
    const schema: SchemaName = words === undefined ? 'Refusal' : 'StatusRefusal';
    const names = [
      ...(HEADERS_OF_STATUS[status] ?? []),
      ...codes.flatMap((code): HeaderName[] => (this.refusalOf(code).isWorthRepeating ? ['Retry-After'] : [])),
    ];
    const examples: ExamplesObject = Object.fromEntries(
      codes.map((code) => [code, this.example(code, words, args[code])]),
    );
    return {
      description: [
        `${STATUS_CODES[status]}.`,
        '',
        ...codes.map((code) => `- \`${code}\`: ${this.refusalOf(code).when}`),
      ].join('\n'),
      ...(names.length > 0 && { headers: headers(names) }),
      content: {
        [JSON_TYPE]: { schema: ref('schemas', schema), examples },
        [PROBLEM_TYPE]: { schema: ref('schemas', 'Problem') },
      },
    };
  }

  private example(
    code: AnyErrorCode,
    words: StatusWords | undefined,
    own: ErrorDetails['args'],
  ): ExampleObject | ReferenceObject {
    if (words !== undefined || own !== undefined || !this.general.has(code)) return this.ownExample(code, words, own);
    this.examples[code] ??= this.ownExample(code, words, own);
    return { $ref: `#/components/examples/${code}` };
  }

  private ownExample(code: AnyErrorCode, words: StatusWords | undefined, own: ErrorDetails['args']): ExampleObject {
    const { status, args } = this.refusalOf(code);
    return {
      value: {
        status: words?.failure ?? status,
        message: this.localizer.sentence('errors', code, FALLBACK_LANGUAGE, own ?? args).text,
      },
    };
  }
}

export function headers(names: readonly HeaderName[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}
