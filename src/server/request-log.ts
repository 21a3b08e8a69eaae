import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ErrorCode } from '../contract/errors';
import { whyClosed } from './closed-connections';
import type { IdentifiedRequest } from './request-id';
import type { RequestObserver } from './requests-under-way';
import type { RouteTable } from './route-table';

/** Why a request was refused: in English, and only for the log. */
export interface LoggedRefusal {
  refused: ErrorCode;
  reason: string | undefined;
  /** What was answered, where the answer did not go by the response. */
  status?: number;
}

interface LoggedRequest extends IdentifiedRequest {
  user?: { id: string };
  refusal?: LoggedRefusal;
}

/** What an operator may want to hear of at once: callers that were kept out, and requests that could not be served. */
const DENIALS = [401, 403, 409, 422, 429, 503];

/** Keeps on a request why it is refused, for its line in the log. */
export function noteRefusal(request: IncomingMessage, refusal: LoggedRefusal): void {
  (request as LoggedRequest).refusal = refusal;
}

/** The status of the answer to a request that is over; undefined when the answer did not get out. */
export function statusOf(request: IncomingMessage, response: ServerResponse): number | undefined {
  return response.writableFinished ? response.statusCode : (request as LoggedRequest).refusal?.status;
}

/**
 * Logs one line for each request, once its answer is out or its connection has ended; `left` says why an answer did not get out. Of
 * the address the line has only the route, because a path can hold a token, too. Headers, queries and bodies are never logged.
 */
export function logRequests(logger: Logger, routes: RouteTable): RequestObserver {
  return (request, response, seconds) => {
    const { id, method, user, refusal } = request as LoggedRequest;
    const status = statusOf(request, response);
    const line = {
      requestId: id,
      method,
      route: routes.patternOf(request),
      status,
      left: status === undefined ? whyClosed(request.socket) : undefined,
      caller: user?.id,
      ms: Math.round(seconds * 1000),
      ...refusal,
    };
    if (status !== undefined && DENIALS.includes(status)) logger.warn(line, 'request');
    else logger.info(line, 'request');
  };
}
