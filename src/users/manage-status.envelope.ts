import type { RouteEnvelope } from '../answers/envelope';

/** The specification has its own format for answers of manage-status: `status` is a word instead of the HTTP status. */
export const MANAGE_STATUS_ENVELOPE: RouteEnvelope = {
  path: '/api/users/manage-status',
  success: (message) => ({ status: 'success', message }),
  failure: (_error, message) => ({ status: 'error', message }),
};
