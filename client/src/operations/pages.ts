import { UserAdministrationError } from '../user-administration-error.ts';

export interface Page<Item> {
  items: Item[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

/** Reads the page that begins at a cursor; the first one without. */
export type PageReader<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/**
 * A list that is longer than one answer. Each page is a call of its own, made when the loop comes to it.
 *
 * @example for await (const user of client.users.list({ workspace: 'atlas' })) console.log(user.id);
 */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(private readonly read: PageReader<Item>) {}

  /** The pages as they come, for a caller that keeps a cursor. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.read(cursor);
      yield page;
      // A cursor that does not move would be followed for ever.
      if (page.next !== null && page.next === cursor) throw unexpected('the next page is this page');
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** All of them, for lists that fit into memory. */
  async all(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const { items } of this.pages()) all.push(...items);
    return all;
  }
}

/**
 * Reads the list of this name from an answer.
 *
 * @throws UserAdministrationError `client.unexpected_answer`
 */
export function pageOf<Item>(body: object, name: string): Page<Item> {
  const { [name]: items, next = null } = body as Record<string, unknown>;
  if (Array.isArray(items) && (next === null || typeof next === 'string')) return { items: items as Item[], next };
  throw unexpected(`it has no list "${name}"`);
}

function unexpected(why: string): UserAdministrationError {
  const detail = `The answer is not one of this service: ${why}. Check baseUrl.`;
  return new UserAdministrationError({ code: 'client.unexpected_answer', detail });
}
