import type { JournalEntry } from '@user-administration/client';

/** The state before or after a change. Entries of other versions of the service can hold anything, so each fact is read by what it is. */
export type Facts = Readonly<Record<string, unknown>>;

export const before = (entry: JournalEntry): Facts => entry.before ?? {};
export const after = (entry: JournalEntry): Facts => entry.after ?? {};

export const textOf = (facts: Facts, name: string): string | undefined => {
  const fact = facts[name];
  return typeof fact === 'string' ? fact : undefined;
};

/** A time that can be shown. */
export const timeOf = (facts: Facts, name: string): string | undefined => {
  const text = textOf(facts, name);
  return Number.isNaN(Date.parse(text ?? '')) ? undefined : text;
};

export const listOf = (facts: Facts, name: string): string[] => {
  const fact = facts[name];
  return Array.isArray(fact) ? fact.filter((each) => typeof each === 'string') : [];
};

/** The number of ids that were cut from the lists. */
export const cutOf = ({ more }: Facts): number => (typeof more === 'number' ? more : 0);
