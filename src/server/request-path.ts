import type { IncomingMessage } from 'node:http';

/** RFC 9112 section 3.2.2: a target may contain scheme and host, and Express still finds its route. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/** The path as sent, without a query or a fragment. Express may not have seen the request, or may have failed to parse it. */
export function pathOf({ originalUrl, url = '' }: IncomingMessage & { originalUrl?: string }): string {
  return (originalUrl ?? url).replace(ORIGIN, '').split(/[?#]/, 1)[0] ?? '';
}
