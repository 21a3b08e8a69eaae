import { parse, type ParsedUrlQuery } from 'node:querystring';

/**
 * Every parameter of a query. By default Node drops all after the first thousand, so a dry run would make the change, and
 * a filter would not filter. The size of the headers bounds the work.
 */
export function parseQuery(query: string): ParsedUrlQuery {
  return parse(query, '&', '=', { maxKeys: 0 });
}
