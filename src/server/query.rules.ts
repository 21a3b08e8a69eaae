import { parse, type ParsedUrlQuery } from 'node:querystring';
import { ServiceError } from '../contract/errors';
import { isReadable } from './request-path';
import { shownName } from './shown-name';

/**
 * Every parameter of a query. By default Node drops all after the first thousand, so a dry run would make the change, and
 * a filter would not filter. The size of the headers bounds the work.
 */
export function parseQuery(query: string): ParsedUrlQuery {
  return parse(query, '&', '=', { maxKeys: 0 });
}

/**
 * Refuses a query that cannot be read, and any parameter that the route does not have: if it were ignored, a misspelt filter would not
 * filter, and a misspelt dry run would make the change.
 *
 * @throws ServiceError `request.malformed` or `query.unknown`, for the first unknown name in the order of the query
 */
export function refuseUnknownParameters(query: string, known: ReadonlySet<string>): void {
  if (!isReadable(query)) throw new ServiceError('request.malformed');
  // One at a time: an object would have names that are numbers first.
  for (const parameter of query.split('&')) {
    const [name] = Object.keys(parseQuery(parameter));
    if (name !== undefined && !known.has(name)) {
      throw new ServiceError('query.unknown', { args: { name: shownName(name) } });
    }
  }
}
