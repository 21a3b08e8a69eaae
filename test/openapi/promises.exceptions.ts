import type { Exceptions } from './promises';

const CREATED = 'Creating answers 201, on every route that creates.';
const UNRELEASED = 'Imports write the actions of the routes, such as `user.created`. Nothing was released before.';
const REPEATABLE = 'The parameter can be repeated. Given once, it means what it meant.';
const ONE_CODE = 'Every operation that takes a reason refuses it with one code.';
const NOT_EMPTY = 'An empty reason is refused, because a journal that keeps it tells nothing.';
const DELETED = 'Deleting answers 204 without a body, on every route that deletes.';

/** Incompatible changes that were decided on, each as the test names it, with the reason. */
export const EXCEPTIONS: Exceptions = {
  'gone: POST /api/webhooks 200': CREATED,
  'gone: POST /api/webhooks 200 application/json: WebhookWithSecretDto': CREATED,
  'gone: DELETE /api/webhooks/{id} 200': DELETED,
  'gone: DELETE /api/webhooks/{id} 200 application/json: WebhookDto': DELETED,
  'gone: GET /api/journal query action: JournalAction': REPEATABLE,
  'gone: Problem.code = "status_token.reason_invalid"': ONE_CODE,
  'new: needs AssignStatusesDto.reason minLength 1': NOT_EMPTY,
  'new: needs MintStatusTokenDto.reason minLength 1': NOT_EMPTY,
  'gone: JournalAction = "group.imported"': UNRELEASED,
  'gone: WebhookEventType = "group.imported"': UNRELEASED,
  'gone: webhook group.imported': UNRELEASED,
  'gone: JournalAction = "permission.imported"': UNRELEASED,
  'gone: WebhookEventType = "permission.imported"': UNRELEASED,
  'gone: webhook permission.imported': UNRELEASED,
  'gone: JournalAction = "user.imported"': UNRELEASED,
  'gone: WebhookEventType = "user.imported"': UNRELEASED,
  'gone: webhook user.imported': UNRELEASED,
  'gone: JournalAction = "workspace.imported"': UNRELEASED,
  'gone: WebhookEventType = "workspace.imported"': UNRELEASED,
  'gone: webhook workspace.imported': UNRELEASED,
};
