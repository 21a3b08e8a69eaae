import { HttpRefusal } from './refusal';
import { isReadable, parseQuery } from './request-path';
import { shownName } from './shown-name';

/**
 * Refuses a query that cannot be read, and any parameter that the route does not have: if it were ignored, a misspelt
 * filter would not filter, and a misspelt dry run would make the change.
 *
 * @throws HttpRefusal `request.malformed` or `query.unknown`, for the first unknown name in the order of the query
 */
export function refuseUnknownParameters(query: string, known: ReadonlySet<string>): void {
  if (!isReadable(query)) throw new HttpRefusal('request.malformed');
  // One at a time: an object would have names that are numbers first.
  for (const parameter of query.split('&')) {
    const [name] = Object.keys(parseQuery(parameter));
    if (name !== undefined && !known.has(name)) {
      throw new HttpRefusal('query.unknown', { args: { name: shownName(name) } });
    }
  }
}
