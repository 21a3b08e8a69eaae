import type { AccessFilter, UserFilter } from '@user-administration/client';
import { language, type MessageKey, t } from '../language/language.ts';
import { dayInWords, momentsOf } from '../ui/days.ts';

const WORDS = ['status', 'type', 'workspace', 'group', 'permission', 'ends'] as const;
/** Within so many days. */
export const ENDS_WITHIN = [7, 14, 30] as const;
const DAY_MS = 86_400_000;
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
  return { ...query, ...(ends && { endsBefore: endsBefore(ends) }) } as UserFilter;
}

const isDays = (ends: string): boolean => /^\d{1,4}$/.test(ends);

/** `14` are days from now, `2030-03-31` is a day, which counts. */
function endsBefore(ends: string): string {
  const { to } = momentsOf(undefined, ends);
  return to ?? (isDays(ends) ? new Date(Date.now() + Number(ends) * DAY_MS).toISOString() : ends);
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
};

export function wordOf({ kind, value }: Filter): string {
  if (kind === 'ends') {
    const until = () => t('ends.until', { day: dayInWords(value, language) });
    return t('history.chip', {
      label: t('people.ends_soon'),
      value: isDays(value) ? daysText(Number(value)) : until(),
    });
  }
  return Object.hasOwn(OF_WORDS, value) ? t(OF_WORDS[value]!.word) : value;
}

/** "7 days" */
export const daysText = (count: number): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(count);

export const WORD_FILTERS: readonly Filter[] = [
  ...Object.values(OF_WORDS),
  ...ENDS_WITHIN.map((days) => ({ kind: 'ends' as const, value: String(days) })),
];
