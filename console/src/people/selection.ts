import type { User } from '@user-administration/client';
import { nameOf } from '../names.ts';
import { service } from '../service.ts';
import { session } from '../session/session.ts';
import { Store } from '../ui/store.ts';
import { asFilter, type PeopleQuery } from './people-query.ts';

/** The most people that the service changes at once. */
export const MOST_SELECTED = 10_000;
/** The largest page of the service. */
const PAGE = 200;

export interface Selection {
  /** The names that the page shows, by the ids. */
  people: ReadonlyMap<string, string>;
  /** More were to be selected than can be. */
  isFull: boolean;
}

const NOBODY: Selection = { people: new Map(), isFull: false };

/** The people who are selected. It stays while one searches on and reads somebody's card. */
export const selection = new Store<Selection>(NOBODY);

// Whoever signs in next begins with nobody.
session.subscribe(() => session.get().kind === 'signed_out' && clearSelection());

export function clearSelection(): void {
  selection.set(NOBODY);
}

export function select(people: readonly Pick<User, 'id' | 'displayName'>[], isFull = false): void {
  const all = new Map(selection.get().people);
  let isLeftOut = isFull;
  for (const person of people) {
    if (all.size < MOST_SELECTED || all.has(person.id)) all.set(person.id, nameOf(person));
    else isLeftOut = true;
  }
  selection.set({ people: all, isFull: isLeftOut });
}

export function unselect(ids: readonly string[]): void {
  const all = new Map(selection.get().people);
  for (const id of ids) all.delete(id);
  selection.set({ people: all, isFull: false });
}

/** Selects all that a search finds, up to the limit: page by page, and nobody if it is aborted or fails. */
export async function selectAllFound(
  query: PeopleQuery,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<void> {
  const found: User[] = [];
  const ids = new Set(selection.get().people.keys());
  let hasMore = false;
  for await (const { items, next } of service.users.list({ ...asFilter(query), limit: PAGE }, { signal }).pages()) {
    found.push(...items);
    for (const { id } of items) ids.add(id);
    hasMore = next !== null;
    onProgress(found.length);
    if (ids.size >= MOST_SELECTED) break;
  }
  select(found, hasMore);
}
