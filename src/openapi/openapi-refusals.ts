import type { ErrorCode } from '../contract/errors';
import { LIMITS } from '../contract/limits';

/** When each refusal happens, in Markdown. Every code of the catalogue stands here. */
export const REFUSALS: Readonly<Record<ErrorCode, string>> = {
  'auth.token_invalid': 'There is no valid token in the `authorization` header, or its user is inactive or unknown.',
  'auth.administrator_required': 'The caller is not an administrator.',

  'user.required': '`userIds` is absent, null or empty.',
  'user.invalid': 'A user is not known, or not given as a string; or `userIds` is not an array.',
  'workspace.required': '`workspaces` is absent, null or empty.',
  'workspace.invalid': '`workspaces` is not an array, or an element is not a string or not a known workspace.',
  'group.invalid':
    '`groups` is not an array, or an element is not a string, not a known group, or a group of a workspace that `workspaces` does not list.',
  'permission.invalid': 'A permission is not known.',
  'request.too_many_users': '`userIds` holds too many distinct users.',
  'request.too_many_workspaces': '`workspaces` holds too many distinct workspaces.',
  'request.too_many_groups': '`groups` holds too many distinct groups.',
  'request.too_many_memberships': 'Users times (workspaces plus groups) is too much.',

  'status.invalid': '`status` is neither `active` nor `inactive`.',
  'status_token.lifetime_invalid': '`expiresIn` is not a whole number of seconds, or too many.',
  'status_token.reason_invalid': '`reason` is not text, or too long.',
  'status.not_permitted':
    'The token in the header or in the body is absent, invalid or not sufficient, or the user id is. The answer does not tell which.',
  'status.last_administrator': 'The change would leave no active administrator.',

  'webhook.url_invalid':
    '`url` is not an https URL, carries a user name or password, or leads to a host that is not public.',
  'webhook.events_invalid': '`events` is not an array, is empty, or an element is no event.',
  'webhook.unknown': 'There is no webhook of this id.',
  'webhook.too_many': 'There are as many webhooks as there can be.',
  'webhook_delivery.unknown': 'This webhook has no delivery of this id.',

  'idempotency.key_invalid': `\`Idempotency-Key\` is empty, longer than ${LIMITS.idempotencyKey} characters, or no string of visible ASCII.`,
  'idempotency.key_reused':
    'This `Idempotency-Key` has been used for another body or at another path. The same request alone may be sent with it.',
  'idempotency.in_progress':
    'A request with this `Idempotency-Key` is still under way. Sent again when it has ended, this one is told its answer.',

  'request.too_frequent':
    'Too many requests have come from this address, or from this caller. Try again after the seconds in `Retry-After`.',
  'request.malformed': 'The request cannot be read.',
  'query.invalid': 'A query parameter is malformed, out of range or given twice.',
  'body.not_json': 'The body is not JSON.',
  'body.too_large': `The body is larger than ${LIMITS.bodyBytes / 1024 ** 2} MiB.`,
  'body.unsupported': 'The body is of another media type than `application/json`.',
  'route.unknown': 'There is nothing at this path.',
  'route.method_not_allowed': 'This path was asked by another method; the `Allow` header names those that it takes.',

  'service.failed':
    'A fault of the service. The answer says nothing of the inside; the log has it under the request id.',
  'service.unavailable': 'The database is away. Try again after the seconds in `Retry-After`.',
};
