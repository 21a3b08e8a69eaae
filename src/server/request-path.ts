import type { Request } from 'express';

/** RFC 9112 section 3.2.2: a target may name scheme and host, and Express finds its route all the same. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/** The path as it was sent, without its query: routing may have failed before Express parsed it. */
export function pathOf(request: Request): string {
  return request.originalUrl.replace(ORIGIN, '').split('?', 1)[0] ?? '';
}
