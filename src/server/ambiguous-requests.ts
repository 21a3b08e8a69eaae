import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../contract/errors';

/**
 * Refuses requests that a proxy in front and this service could understand differently, and so take for different requests. Node
 * refuses a missing `Host` without a body or a request id, and the rest not at all.
 */
export const refuseAmbiguous: RequestHandler = (request, response, next) => {
  if (hasOneHost(request) && hasKnownFraming(request)) return next();
  // Where the next request begins is not known.
  response.setHeader('Connection', 'close');
  next(new ServiceError('request.malformed'));
};

/** RFC 9112 section 3.2: one, which only HTTP/1.0 may leave out. */
function hasOneHost({ headersDistinct: { host = [] }, httpVersion }: Request): boolean {
  return host.length === 1 || (host.length === 0 && httpVersion === '1.0');
}

/** RFC 9112 section 6.1: HTTP/1.0 has no transfer codings, and `chunked` is the only one that is known here. */
function hasKnownFraming({ headers, httpVersion }: Request): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion !== '1.0' && coding.toLowerCase() === 'chunked');
}
