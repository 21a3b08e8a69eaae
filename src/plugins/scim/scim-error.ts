import { errorBody, type RefusalKind } from '@user-administration/scim-protocol';
import { ServiceError } from '../door';
import type { ErrorForm } from '../../answers/answers';
import { type ErrorCode, type ErrorDetails } from '../../contract/errors';
import { SCIM_PATH } from './scim-request';

export const SCIM_TYPE = 'application/scim+json';

/** The refusals of the protocol, and those that depend on stored data (RFC 7644 section 3.12). */
type Kind = RefusalKind | 'tooMany' | 'uniqueness' | 'conflict';

/** Refusals without a type in SCIM. Their status is 409 or 413. */
type Untyped = 'conflict' | 'tooLarge';
type ScimType = Exclude<Kind, Untyped>;

/** The code of the catalogue. It determines the status, and the log and the metrics contain it. */
const CODES: Readonly<Record<Kind, [code: ErrorCode, details?: ErrorDetails]>> = {
  invalidFilter: ['query.invalid', { args: { name: 'filter' } }],
  tooMany: ['query.invalid', { args: { name: 'filter' } }],
  invalidSyntax: ['request.malformed'],
  invalidPath: ['request.malformed'],
  noTarget: ['request.malformed'],
  // The sentence of the catalogue needs a field, but the answer has the detail instead.
  invalidValue: ['field.invalid', { args: { field: 'value' } }],
  mutability: ['field.read_only', { args: { field: 'value' } }],
  uniqueness: ['record.id_taken'],
  conflict: ['record.id_taken'],
  tooLarge: ['body.too_large'],
};
const UNTYPED: readonly string[] = ['conflict', 'tooLarge'] satisfies Untyped[];

/**
 * A refusal that only SCIM makes. Its detail is in English, because administrators read it in the log of the identity
 * provider. Every other {@link ServiceError} is answered in the form of SCIM with its own sentence.
 *
 * @example throw new ScimError('invalidValue', 'userName is required.');
 */
export class ScimError extends ServiceError {
  readonly scimType: ScimType | undefined;

  constructor(
    kind: Kind,
    readonly detail: string,
  ) {
    const [code, details] = CODES[kind];
    super(code, details, { cause: `${kind}: ${detail}` });
    this.scimType = UNTYPED.includes(kind) ? undefined : (kind as ScimType);
  }
}

/** The types of refusals of use cases outside SCIM. */
const TYPES: Partial<Record<ErrorCode, ScimType>> = {
  'body.not_json': 'invalidSyntax',
  'request.malformed': 'invalidSyntax',
  'field.invalid': 'invalidValue',
  'user.invalid': 'invalidValue',
  'field.read_only': 'mutability',
  'record.id_taken': 'uniqueness',
  'user.email_taken': 'uniqueness',
};

/** RFC 7644 section 3.12: the status is text. */
export const SCIM_ERRORS: ErrorForm = {
  path: SCIM_PATH,
  mediaType: SCIM_TYPE,
  patchTypes: `${SCIM_TYPE}, application/json`,
  body(error, detail) {
    const own = error instanceof ScimError ? error : undefined;
    const scimType = own ? own.scimType : TYPES[error.code];
    return errorBody(error.status, scimType, own?.detail ?? detail);
  },
};
