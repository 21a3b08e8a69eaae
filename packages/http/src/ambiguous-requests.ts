import type { Request, RequestHandler } from 'express';
import { HttpRefusal } from './refusal';

/**
 * Refuses requests that a proxy and this service could interpret as different requests (request smuggling). Node
 * refuses a missing `Host` without a body or a request id, and accepts the rest, a malformed `Host` included. Express
 * accepts a fragment.
 */
export const refuseAmbiguous: RequestHandler = (request, response, next) => {
  // RFC 9112 section 3.2: a target has no fragment. Express would drop it, and read the rest by other rules, such as
  // backslashes as slashes.
  const hasFragment = request.originalUrl.includes('#');
  if (hasOneHost(request) && hasKnownFraming(request) && !hasFragment) return next();
  // The start of the next request is unknown.
  response.setHeader('Connection', 'close');
  next(new HttpRefusal('request.malformed'));
};

/**
 * RFC 3986 section 3.2: a name, an IPv4 address or an IPv6 address between brackets, and a port. All of it may be
 * empty.
 */
const HOST = /^(?:\[[\w.~:%-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** RFC 9112 section 3.2: exactly one valid `Host`, which only HTTP/1.0 may omit. */
function hasOneHost({ headersDistinct: { host = [] }, httpVersion }: Request): boolean {
  const [first, ...others] = host;
  return first === undefined ? httpVersion === '1.0' : others.length === 0 && HOST.test(first);
}

/** RFC 9112 section 6.1: HTTP/1.0 has no transfer codings, and this service supports only `chunked`. */
function hasKnownFraming({ headers, httpVersion }: Request): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion !== '1.0' && coding.toLowerCase() === 'chunked');
}
