import type { IncomingMessage } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { RequestHandler } from 'express';

/** RFC 9112 section 3.2.2: a target may begin with scheme and host, and then have no path. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*\/?/i;

/**
 * The path as sent, without a query or a fragment. Express may not have seen the request, or may have failed to parse
 * it.
 */
export function pathOf({ originalUrl, url = '' }: Pick<IncomingMessage, 'url'> & { originalUrl?: string }): string {
  const [path = ''] = (originalUrl ?? url).replace(ORIGIN, '/').split(/[?#]/, 1);
  return path;
}

/**
 * Lets Express read a target with scheme and host as its path alone. It would read the whole target by other rules,
 * such as backslashes as slashes, and find another route than `pathOf`.
 *
 * @param joined paths below which several slashes are one: some callers join an address that ends with one and a path
 *   that begins with one
 */
export function routeByPath(joined: readonly string[]): RequestHandler {
  const below = joined.map((path) => new RegExp(`^${path.replaceAll('/', '/+')}(?=[/?#]|$)[^?#]*`));
  return (request, _response, next) => {
    request.url = request.url.replace(ORIGIN, '/');
    for (const paths of below)
      if (paths.test(request.url))
        request.url = request.originalUrl = request.url.replace(paths, (path) => path.replace(/\/{2,}/g, '/'));
    next();
  };
}

/**
 * Whether the percent-encoding of a path or a query is that of UTF-8 (RFC 3986 section 2.5). Otherwise it would be read
 * as other text.
 */
export function isReadable(encoded: string): boolean {
  try {
    return typeof decodeURIComponent(encoded) === 'string';
  } catch {
    return false;
  }
}

/**
 * Every parameter of a query. By default Node drops all after the first thousand, so a dry run would make the change,
 * and a filter would not filter. The size of the headers bounds the work.
 */
export function parseQuery(query: string): ParsedUrlQuery {
  return parse(query, '&', '=', { maxKeys: 0 });
}
