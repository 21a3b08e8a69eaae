import { ExpectedError } from './expected-error';

/**
 * The closed catalogue of everything that this service refuses, by its stable, machine-readable code.
 *
 * A code is what callers may branch on (RFC 9457 member `code`); its sentence lives in
 * `src/i18n/messages/<language>/errors.json` under the same path. Codes are never renamed or reused.
 */
export const ERRORS = {
  'auth.token_invalid': { status: 401 },
  'auth.administrator_required': { status: 403 },

  'user.required': { status: 400 },
  'user.invalid': { status: 400 },
  'workspace.required': { status: 400 },
  'workspace.invalid': { status: 400 },
  'group.invalid': { status: 400 },
  'permission.invalid': { status: 400 },
  'request.too_many_users': { status: 400 },
  'request.too_many_workspaces': { status: 400 },
  'request.too_many_groups': { status: 400 },
  'request.too_many_memberships': { status: 400 },

  'status.invalid': { status: 400 },
  'status_token.lifetime_invalid': { status: 400 },
  'status_token.reason_invalid': { status: 400 },
  'status.not_permitted': { status: 401 },
  'status.last_administrator': { status: 409 },

  'webhook.url_invalid': { status: 400 },
  'webhook.events_invalid': { status: 400 },
  'webhook.unknown': { status: 404 },
  'webhook.too_many': { status: 409 },
  'webhook_delivery.unknown': { status: 404 },

  'idempotency.key_invalid': { status: 400 },
  'idempotency.key_reused': { status: 422 },
  'idempotency.in_progress': { status: 409 },

  'request.malformed': { status: 400 },
  'request.too_frequent': { status: 429 },
  'query.invalid': { status: 400 },
  'body.not_json': { status: 400 },
  'body.too_large': { status: 413 },
  'body.unsupported': { status: 415 },
  'route.unknown': { status: 404 },
  'route.method_not_allowed': { status: 405 },

  'service.failed': { status: 500 },
  'service.unavailable': { status: 503 },
} as const satisfies Record<string, { status: number }>;

/** A stable error code, such as `user.invalid`. */
export type ErrorCode = keyof typeof ERRORS;

/** A place in the request body that is at fault: an RFC 6901 JSON pointer, and the id found there when it was a string. */
export interface ErrorLocation {
  pointer: string;
  id?: string;
}

/** What an error may carry beyond its code: values for the placeholders of its sentence, and the places at fault. */
export interface ErrorDetails {
  args?: Record<string, number | string>;
  errors?: ErrorLocation[];
}

/**
 * A refusal that the caller is told of. Anything else that is thrown is a fault of ours, and answered as `service.failed`.
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

  get status(): number {
    return ERRORS[this.code].status;
  }
}
