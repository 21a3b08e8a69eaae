import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { ErrorCode } from '../contract/errors';
import { requestId } from './request-id';
import type { RouteTable } from './route-table';

/** Why a request was refused: in English, and for the log alone. */
export interface LoggedRefusal {
  refused: ErrorCode;
  reason: string | undefined;
}

interface LoggedRequest extends Request {
  id: string;
  user?: { id: string };
  refusal?: LoggedRefusal;
}

/** What an operator may want to be told of at once: who was kept out, and what could not be served. */
const DENIALS = [401, 403, 409, 422, 429, 503];

/** Leaves on a request why it is refused, for the line that is logged of it. */
export function noteRefusal(request: Request, refusal: LoggedRefusal): void {
  (request as LoggedRequest).refusal = refusal;
}

/**
 * Gives each request its id, and logs one line of it when its answer is out or its caller gone. Of the address it tells only the
 * route: a caller can write a token into a path, too. Headers, queries and bodies are never logged.
 *
 * In the place of pino-http, which makes three logs for each request, with what of it can be serialized.
 */
export function logRequests(logger: Logger, routes: RouteTable): RequestHandler {
  return (plain, response, next) => {
    const request = plain as LoggedRequest;
    const began = performance.now();
    request.id = requestId(request, response);
    response.once('close', () => {
      const line = {
        requestId: request.id,
        method: request.method,
        route: routes.patternOf(request) ?? 'unknown',
        status: response.statusCode,
        caller: request.user?.id,
        ms: Math.round(performance.now() - began),
        ...request.refusal,
      };
      if (DENIALS.includes(response.statusCode)) logger.warn(line, 'request');
      else logger.info(line, 'request');
    });
    next();
  };
}
