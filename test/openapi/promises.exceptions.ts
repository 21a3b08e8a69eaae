import type { Exceptions } from './promises';

const CREATED = 'Creating answers 201, on every route that creates.';
const DELETED = 'Deleting answers 204 without a body, on every route that deletes.';

/** Incompatible changes that were decided on, each as the test names it, with the reason. */
export const EXCEPTIONS: Exceptions = {
  'gone: POST /api/webhooks 200': CREATED,
  'gone: POST /api/webhooks 200 application/json: WebhookWithSecretDto': CREATED,
  'gone: DELETE /api/webhooks/{id} 200': DELETED,
  'gone: DELETE /api/webhooks/{id} 200 application/json: WebhookDto': DELETED,
};
