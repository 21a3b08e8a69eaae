import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { whyClosed } from './closed-connections';
import type { IdentifiedRequest } from './request-id';
import type { RequestObserver } from './requests-under-way';
import type { RouteTable } from './route-table';
import { traceContextOf } from './request-id';

/** The reason of a refusal, in English and only for the log. */
interface LoggedRefusal {
  refused: string;
  reason: string | undefined;
  /** The status, if the answer was not sent through the response object. */
  status?: number;
}

interface LoggedRequest extends IdentifiedRequest {
  user?: { id: string };
  params?: { id?: unknown };
  query?: { id?: unknown; user?: unknown };
  refusal?: LoggedRefusal;
}

/** Whether something in a path or a query is the id of a record. */
type IsId = (value: unknown) => value is string;

/** Statuses that an operator should notice: refused callers, and requests that could not be served. */
const DENIALS = [401, 403, 409, 422, 429, 503];

/** Platforms and open pages ask for it all the time, so that it would be most of the log. */
const SIGN_OF_LIFE = '/health/live';

/** Stores the reason of a refusal on its request, for the log line. */
export function noteRefusal(request: IncomingMessage, refusal: LoggedRefusal): void {
  (request as LoggedRequest).refusal = refusal;
}

/** The status of a finished request; undefined if the answer was not sent completely. */
export function statusOf(request: IncomingMessage, response: ServerResponse): number | undefined {
  return response.writableFinished ? response.statusCode : (request as LoggedRequest).refusal?.status;
}

/**
 * Logs one line for each request (at `debug` for a sign of life), when its answer has been sent or its connection has
 * ended; `left` says why an answer was not sent. The line contains the route instead of the path, because a path can
 * contain a token. Queries, bodies and headers are never logged, except for the ids of the request and of its trace,
 * and what an answered read was about.
 *
 * @param isId what can be the id of a record
 */
export function logRequests(logger: Logger, routes: RouteTable, isId: IsId): RequestObserver {
  return (request, response, seconds) => {
    const { id, method, user, refusal } = request as LoggedRequest;
    const status = statusOf(request, response);
    const line = {
      requestId: id,
      traceId: traceContextOf(request)?.traceId,
      method,
      route: routes.patternOf(request),
      status,
      left: status === undefined ? whyClosed(request.socket) : undefined,
      caller: user?.id,
      subject: subjectOf(request as LoggedRequest, isId, status),
      ms: Math.round(seconds * 1000),
      ...refusal,
    };
    if (status !== undefined && DENIALS.includes(status)) logger.warn(line, 'request');
    else if (line.route === SIGN_OF_LIFE && status === 200) logger.debug(line, 'request');
    else logger.info(line, 'request');
  };
}

/**
 * What a caller has read: the id in the path, or the ids that a list was filtered by (`user` of the journal, `id`), so
 * that the log tells who looked at whom. A change stands in the journal, and a refused read has shown nothing.
 */
function subjectOf(
  { method, user, params, query }: LoggedRequest,
  isId: IsId,
  status = 0,
): string | string[] | undefined {
  if (!user || status >= 400 || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const named = [params?.id ?? query?.user ?? query?.id].flat().filter(isId);
  return named.length > 1 ? named : named[0];
}
