import type { AccessFilter, UserFilter } from '@user-administration/client';
import { type MessageKey, t } from '../language/language.ts';

const WORDS = ['status', 'type', 'workspace', 'group', 'permission', 'ends'] as const;
/** Within a week. */
const SOON = 'soon';
const WEEK_MS = 7 * 86_400_000;
const NAMES = ['search', 'sort', ...WORDS] as const;

/** The search of the people page: a text and filters, as in its address. */
export type PeopleQuery = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;
export type FilterKind = (typeof WORDS)[number];
export interface Filter {
  kind: FilterKind;
  value: string;
}

export function readQuery(parameters: URLSearchParams): PeopleQuery {
  return Object.fromEntries(NAMES.flatMap((name) => [[name, parameters.get(name) || undefined]]));
}

/** The service says what is wrong with a value that somebody wrote into the address. */
export function asFilter({ ends, ...query }: PeopleQuery): UserFilter {
  const endsBefore = ends === SOON ? new Date(Date.now() + WEEK_MS).toISOString() : ends;
  return { ...query, ...(ends && { endsBefore }) } as UserFilter;
}

/** The register has one order. */
export function asAccessFilter({ sort: _, ...query }: PeopleQuery): AccessFilter {
  return asFilter(query) as AccessFilter;
}

export function filtersOf(query: PeopleQuery): Filter[] {
  return WORDS.flatMap((kind) => (query[kind] === undefined ? [] : [{ kind, value: query[kind] }]));
}

/** The filters that are words. */
const OF_WORDS: Readonly<Record<string, Filter & { word: MessageKey }>> = {
  inactive: { kind: 'status', value: 'inactive', word: 'status.inactive' },
  active: { kind: 'status', value: 'active', word: 'status.active' },
  administrator: { kind: 'type', value: 'administrator', word: 'people.administrators' },
  manager: { kind: 'type', value: 'manager', word: 'people.managers' },
  member: { kind: 'type', value: 'member', word: 'people.members' },
  guest: { kind: 'type', value: 'guest', word: 'people.guests' },
  [SOON]: { kind: 'ends', value: SOON, word: 'people.ends_soon' },
};

export const wordOf = (value: string): string => (Object.hasOwn(OF_WORDS, value) ? t(OF_WORDS[value]!.word) : value);
export const WORD_FILTERS: readonly Filter[] = Object.values(OF_WORDS);
