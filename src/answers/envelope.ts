import type { MessageBody, StatusBody } from '../contract/answers';

/** The shape of a route's answers. */
export interface Envelope {
  success(message: string): MessageBody | StatusBody;
  failure(error: { status: number }, message: string): MessageBody | StatusBody;
}

const numbered: Envelope = {
  success: (message) => ({ status: 200, message }),
  failure: (error, message) => ({ status: error.status, message }),
};

const worded: Envelope = {
  success: (message) => ({ status: 'success', message }),
  failure: (_error, message) => ({ status: 'error', message }),
};

/** Paths as Express matches them: whatever the case, with or without a slash at the end. */
const WORDED_PATHS = /^\/api\/users\/manage-status(\/|$)/i;

/** The envelope of a path. Chosen by path alone, because a malformed body or a wrong verb is refused before any route is. */
export function envelopeFor(path: string): Envelope {
  return WORDED_PATHS.test(path) ? worded : numbered;
}
