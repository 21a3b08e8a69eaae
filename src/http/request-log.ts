import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pathOf } from './answers';
import { requestId } from './request-id';

interface LoggedRequest extends Request {
  id: string;
  log: Logger;
  user?: { id: string };
}

/** The log of a request; none where the router gave up on it before there was one. */
export function logOf(request: Request): Logger | undefined {
  return (request as Partial<LoggedRequest>).log;
}

/**
 * Gives each request its id and a log that bears it, for every line on the way; and when its answer is out or its caller gone,
 * one line of its own. Headers, queries and bodies are never logged: they carry tokens.
 *
 * In the place of pino-http, which makes two more logs for each request, with what of it can be serialized.
 */
export function logRequests(logger: Logger): RequestHandler {
  return (plain, response, next) => {
    const request = plain as LoggedRequest;
    const began = performance.now();
    request.id = requestId(request, response);
    request.log = logger.child({ requestId: request.id });
    response.once('close', () => {
      const line = {
        method: request.method,
        path: pathOf(request),
        status: response.statusCode,
        caller: request.user?.id,
        ms: Math.round(performance.now() - began),
      };
      request.log.info(line, 'request');
    });
    next();
  };
}
