import type { CallOptions } from '../client-options.ts';
import { isObject } from '../calls/read-answer.ts';
import type { Service, ServiceRequest } from '../calls/service.ts';
import type { Total } from '../types/directory.ts';
import { UserAdministrationError } from '../user-administration-error.ts';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
  /** How many match all filters of the list, if it was asked for. */
  total?: Total;
}

/** Reads the page at a cursor; without a cursor, the first page. */
type PageReader<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/**
 * A list in pages. Each page is a separate call, made when the loop reaches it.
 *
 * @example for await (const user of client.users.list({ workspace: 'atlas' })) console.log(user.id);
 */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(private readonly read: PageReader<Item>) {}

  /** Yields page by page, with the cursors. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.read(cursor);
      yield page;
      // A cursor that does not change would make this loop endless.
      if (page.next !== null && page.next === cursor)
        throw unexpected('the cursor of the next page is that of this page');
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** Reads the whole list into memory. */
  async all(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const { items } of this.pages()) all.push(...items);
    return all;
  }
}

/** Reads the list with this name from the answers to a request. If its query has a cursor, the list begins there. */
export function pagesOf<Item>(
  service: Service,
  request: Omit<ServiceRequest, 'method'>,
  name: string,
  options?: CallOptions,
): Pages<Item> {
  // A copy: a cursor belongs to the filters of the first page, even if the caller changes its object between two pages.
  const { cursor: first, ...filters } = request.query ?? {};
  return new Pages(async (cursor = first as string | undefined) => {
    const query = { ...filters, cursor };
    return pageOf(await service.ask({ ...request, method: 'GET', query }, options), name);
  });
}

/**
 * Reads the list with this name from an answer.
 *
 * @throws UserAdministrationError `client.unexpected_answer`
 */
export function pageOf<Item>(body: object, name: string): Page<Item> {
  const { [name]: items, next = null, total } = body as Record<string, unknown>;
  if (!Array.isArray(items) || (next !== null && typeof next !== 'string'))
    throw unexpected(`it has no list "${name}"`);
  if (!items.every(isObject)) throw unexpected(`the list "${name}" has an element that is not an object`);
  if (total !== undefined && !isObject(total)) throw unexpected(`its "total" is not an object`);
  return { items: items as Item[], next, ...(total && { total: total as Total }) };
}

export function unexpected(why: string): UserAdministrationError {
  const detail = `Not an answer of this service: ${why}. Check baseUrl.`;
  return new UserAdministrationError({ code: 'client.unexpected_answer', detail });
}
