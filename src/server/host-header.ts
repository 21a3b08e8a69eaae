import type { RequestHandler } from 'express';
import { ServiceError } from '../contract/errors';

/** RFC 9112 section 3.2: a request of HTTP/1.1 names its host. Node would refuse it, too, but with neither a body nor a request id. */
export const requireHost: RequestHandler = (request, _response, next) => {
  const isMissing = request.httpVersion === '1.1' && request.headers.host === undefined;
  next(isMissing ? new ServiceError('request.malformed') : undefined);
};
