import { ExpectedError } from './expected-error';
import { LIMITS } from './limits';

/** A position of an error in the request body: an RFC 6901 JSON pointer, and the id there if it is a string. */
export interface ErrorLocation {
  pointer: string;
  id?: string;
}

/** The details of an error: values for the placeholders of its sentence, and positions. */
export interface ErrorDetails {
  args?: Record<string, number | string>;
  errors?: ErrorLocation[];
  /** The bad lines of a file, which the usual body shows as well. */
  lines?: readonly LineError[];
}

/** A bad line of a file, counted from 1, and what is wrong with it, in English. */
export interface LineError {
  line: number;
  message: string;
}

/** One entry of the catalogue. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** When it is answered, in English and in Markdown, for the OpenAPI document. */
  readonly when: string;
  /** Values for the placeholders of its sentence, for the example in the OpenAPI document. */
  readonly args?: ErrorDetails['args'];
  /** The same request can succeed soon: its answer has `Retry-After`. */
  readonly isWorthRepeating?: true;
}

/**
 * All refusals of this service, by stable, machine-readable code (RFC 9457 member `code`). Callers may branch on codes,
 * which are never renamed or reused.
 *
 * The sentence of a code is in `src/i18n/messages/<language>/errors.json`. A new code needs its line here and its
 * seventeen sentences there; tests and the OpenAPI document follow. Plugins declare their own: `PluginErrors`.
 */
export const ERRORS = {
  // Who calls.
  'auth.token_invalid': refusal(
    401,
    'The `authorization` header has no valid access token, or the user of the token is inactive or unknown.',
  ),
  'auth.administrator_required': refusal(403, 'The caller is not an administrator.'),

  // Ids of records in a body.
  'user.required': refusal(400, '`userIds` is missing, null or empty.'),
  'user.invalid': refusal(400, 'A user id is unknown or not a string, or the list of users is not an array.'),
  'workspace.required': refusal(400, '`workspaces` is missing, null or empty.'),
  'workspace.invalid': refusal(400, 'A workspace id is unknown or not a string, or `workspaces` is not an array.'),
  'group.invalid': refusal(
    400,
    'A group id is unknown, is not a string or belongs to a workspace that `workspaces` does not list, or `groups` ' +
      'is not an array.',
  ),
  'permission.invalid': refusal(400, 'A permission id is unknown.'),

  // One record.
  'user.unknown': refusal(404, 'There is no user with this id.'),
  'workspace.unknown': refusal(404, 'There is no workspace with this id.'),
  'group.unknown': refusal(404, 'There is no group with this id.'),
  'permission.unknown': refusal(404, 'There is no permission with this id.'),
  'record.id_taken': refusal(409, 'Another record of this kind has this `id`.'),
  'user.email_taken': refusal(409, 'Another user has this email address, whatever its case.'),
  'record.changed': refusal(
    412,
    'The record does not have the version in `If-Match`, or has the one in `If-None-Match`.',
  ),
  'field.invalid': refusal(400, 'A field is missing, malformed or out of range.', { field: 'name' }),
  'field.unknown': refusal(400, 'A field is unknown, with `Prefer: handling=strict`.', {
    field: 'group',
  }),
  'field.read_only': refusal(400, 'A field cannot be changed by this operation.', { field: 'type' }),
  'directory.last_administrator': refusal(409, 'The change would leave no active administrator.'),

  // Limits of one request.
  'request.too_many_users': refusal(400, '`userIds` has too many different ids.', { max: LIMITS.users }),
  'request.too_many_workspaces': refusal(400, '`workspaces` has too many different ids.', { max: LIMITS.workspaces }),
  'request.too_many_groups': refusal(400, '`groups` has too many different ids.', { max: LIMITS.groups }),
  'request.too_many_memberships': refusal(
    400,
    'The number of users, times the number of workspaces and groups, is too large.',
    { max: LIMITS.memberships },
  ),
  'request.too_large_to_represent': refusal(
    400,
    '`result` would have too many memberships (or, of one record, users), or more than 4 MiB.',
    { max: LIMITS.representedMemberships },
  ),

  'until.malformed': refusal(400, '`until` is not a time with an offset.'),
  'until.invalid': refusal(400, '`until` does not lie ahead, or more than ten years.'),
  'reason.invalid': refusal(400, '`reason` is no text, empty or too long.', { max: LIMITS.reason }),

  // The status of a user, and status tokens.
  'status.invalid': refusal(400, '`status` is neither `active` nor `inactive`.'),
  'status.not_permitted': refusal(
    401,
    'The token in the header or in the body is missing, invalid or does not permit the change, or ' +
      'the user id is unknown. The answer does not say which.',
  ),
  'status.last_administrator': refusal(409, 'The change would leave no active administrator.'),
  'status_token.lifetime_invalid': refusal(400, '`expiresIn` is not a whole number of seconds, or is out of range.', {
    max: LIMITS.statusTokenSeconds,
  }),

  // The journal.
  'journal.unknown': refusal(404, 'The journal has no entry with this id.'),
  'journal.not_undoable': refusal(
    409,
    'The request of this entry did something else than assigning or unassigning users, or changing statuses.',
  ),
  'journal.pruned': refusal(410, 'The entries after this `after` were removed. Start again, from `start` or `now`.'),
  'journal.other': refusal(
    410,
    'The journal does not have the entry that this `after` names: it is of another service, or the database was ' +
      'restored or lost entries. Start again, and load anew what you know.',
  ),

  // Idempotency keys.
  'idempotency.key_invalid': refusal(
    400,
    `\`Idempotency-Key\` is not 1 to ${LIMITS.idempotencyKey} visible ASCII characters, or unquoted with a comma, ` +
      'double quote or backslash.',
    { max: LIMITS.idempotencyKey },
  ),
  'idempotency.key_reused': refusal(
    422,
    'This key was already used for another request: another path, query, preference, media type or body.',
  ),
  'idempotency.in_progress': refusal(
    409,
    'A request with this key is being processed. Send it again later for its answer.',
  ),

  // Requests in general.
  'request.too_frequent': refusal(
    429,
    'This address or this caller has sent too many requests. Try again after the seconds in `Retry-After`.',
    { seconds: 30 },
  ),
  'request.malformed': refusal(400, 'The request cannot be read.'),
  'request.headers_too_large': refusal(431, 'The path, the query and the headers are together too large.', { max: 16 }),
  'query.unknown': refusal(400, 'A query parameter is unknown.', { name: 'Limit' }),
  'query.invalid': refusal(400, 'A query parameter is malformed, out of range or given twice.', {
    name: 'limit',
  }),
  'answer.not_acceptable': refusal(406, 'Nothing that this route can give is acceptable to `Accept`.', {
    types: 'application/x-ndjson, text/csv',
  }),
  'body.not_json': refusal(400, 'The body is not JSON.'),
  'body.too_large': refusal(
    413,
    `The body is larger than ${LIMITS.bodyBytes / 1024} KiB, or than ${LIMITS.listBodyBytes / 1024 ** 2} MiB where ` +
      'it holds lists of ids. Or it has more than ' +
      `${LIMITS.bodyStructure.toLocaleString('en')} arrays, objects and fields.`,
  ),
  'body.unsupported': refusal(415, 'The media type of the body is not `application/json`.'),
  'body.encoding_unsupported': refusal(415, 'The body has a `Content-Encoding`, or its charset is not UTF-8.'),
  'route.unknown': refusal(404, 'There is nothing at this path.'),
  'route.method_not_allowed': refusal(
    405,
    'This path does not support this method. `Allow` lists the methods it supports.',
  ),
  'route.not_supported': refusal(501, 'This service does not support this part of a protocol.'),

  // The service itself.
  'service.failed': refusal(500, 'A fault of the service. The log has the details under the id of the request.'),
  'service.unavailable': refusal(
    503,
    'The service is overloaded, or its database is not available. Try again after the seconds in `Retry-After`.',
  ),
  'service.outcome_unknown': refusal(
    503,
    'The connection to the database was lost during the commit, and the request had no `Idempotency-Key`. The ' +
      'change may have been made: check before you try again.',
  ),
} as const satisfies Record<string, Refusal>;

function refusal(status: number, when: string, args?: ErrorDetails['args']): Refusal {
  return { status, when, args };
}

/** A stable error code of the service, such as `user.invalid`. Those of plugins are text. */
export type ErrorCode = keyof typeof ERRORS;
/** A code of the service, or of a plugin. */
export type AnyErrorCode = ErrorCode | (string & {});

/**
 * A refusal of a request. Every other error is a fault of the service, and is answered as `service.failed`.
 *
 * @example throw new ServiceError('user.invalid', { errors: [{ pointer: '/userIds/3', id: 'nobody' }] });
 */
export class ServiceError extends ExpectedError {
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
  }

  /** Its entry in the catalogue. */
  get refusal(): Refusal {
    return ERRORS[this.code];
  }

  get status(): number {
    return this.refusal.status;
  }
}
