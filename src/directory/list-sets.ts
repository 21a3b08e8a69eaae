import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** How far the keys of a set are counted. A larger set is not hashed. */
export const SOME = 10_000;
/** The share of a set that the other filters match is estimated from so many of its keys. */
const SAMPLE = 100;

/** One condition of a list, with its parameters. The alias of the record is `record`. */
export interface ListFilter {
  /** What it tests: a column of the record, its text, or its key in another table. */
  kind: 'column' | 'search' | 'set';
  parameters: ObjectLiteral;
  /** A test of one record, by an index. */
  probe: string;
  /** A query for the keys of all matches, from an index. A key may come more than once. */
  keys?: string;
}

/** A filter whose matches were counted. */
export interface ListSet {
  filter: ListFilter;
  keys: string;
  /** How many keys there are; {@link SOME} and one if there are more. */
  size: number;
  /** An estimate of how many of them match the other filters. */
  matches: number;
}

/** Counts the keys of each filter that has some, in one statement that reads a bounded number of them. @returns the smallest first */
export async function measureSets(
  query: SelectQueryBuilder<ObjectLiteral>,
  filters: readonly ListFilter[],
): Promise<ListSet[]> {
  const table = tableOf(query);
  const known = filters.flatMap((filter) => (filter.keys === undefined ? [] : [{ filter, keys: filter.keys }]));
  if (known.length === 0) return [];
  const counts = query.connection.createQueryBuilder().select([]).from('(SELECT 1)', 'one');
  for (const { parameters } of filters) counts.setParameters(parameters);
  for (const [index, { filter, keys }] of known.entries()) {
    const others = filters.filter((other) => other !== filter);
    const sample = `SELECT key FROM (${keys}) AS found LIMIT ${SAMPLE}`;
    const sampled = `FROM (${sample}) AS record WHERE ${all(others.map((other) => byKey(table, other)))}`;
    counts.addSelect(
      `(SELECT count(*) FROM (SELECT 1 FROM (${keys}) AS found LIMIT ${SOME + 1}) AS counted)`,
      `size${index}`,
    );
    counts.addSelect(`(SELECT count(*) ${sampled})`, `sampled${index}`);
  }
  const row = (await counts.getRawOne<Record<string, string>>()) ?? {};
  const sets = known.map((set, index) => {
    const size = Number(row[`size${index}`]);
    return { ...set, size, matches: (size * Number(row[`sampled${index}`])) / Math.min(size, SAMPLE) || 0 };
  });
  return sets.toSorted((one, other) => one.size - other.size);
}

/** A test by a hash of all keys. It is not planned as a join, which would read the whole set of users first. */
export function isIn({ keys }: ListSet): string {
  // The limit tells the planner that the keys fit into memory. It is above the number that was counted a moment ago.
  return `(record.key IN (SELECT key FROM (${keys}) AS found LIMIT ${4 * SOME})) IS TRUE`;
}

/** A test of a record of which only the key is known. */
export function byKey(table: string, { kind, probe }: ListFilter): string {
  if (kind === 'set') return probe;
  return `(SELECT ${probe.replaceAll('record.', 'own.')} FROM ${table} AS own WHERE own.key = record.key)`;
}

export function tableOf(query: SelectQueryBuilder<ObjectLiteral>): string {
  return query.expressionMap.mainAlias?.metadata.tableName ?? '';
}

export function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}
