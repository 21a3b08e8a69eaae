import type { RouteEnvelope } from '../answers/envelope';

/** The specification gives manage-status answers of its own: a word as `status` instead of the HTTP status. */
export const MANAGE_STATUS_ENVELOPE: RouteEnvelope = {
  path: '/api/users/manage-status',
  success: (message) => ({ status: 'success', message }),
  failure: (_error, message) => ({ status: 'error', message }),
};
