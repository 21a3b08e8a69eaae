import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** The keys of a set are counted up to this number. The size of a larger set is estimated. */
const COUNTED = 10_000;
/** The number of records from which sizes are estimated. It is larger for filters whose test is cheap. */
const SAMPLE = { filters: 100, search: 200, sets: 300 };
/** If fewer records than this follow, all of them are tested. */
export const NEXT = 300;
/** The minimum number of matches in a sample from which the share of all matches is estimated. Fewer could be chance. */
const TELLING = 3;
/** The matches that are assumed for a filter that no record of a sample matches. */
const HARDLY_ANY = 0.15;

/** One condition of a list, with its parameters. The alias of the record is `record`. */
export interface ListFilter {
  /** What it tests: a column of the record, the text of the record, or its key in another table. */
  kind: 'column' | 'search' | 'set';
  parameters: ObjectLiteral;
  /** A test of one record, by an index. */
  probe: string;
  /** A query for the keys of all matches, from an index. A key may come more than once. */
  keys?: string;
  /** Microseconds of a probe, if it takes longer than others. */
  cost?: number;
}

/** A list, whose records must match all filters. */
export interface FilteredList {
  table: string;
  filters: readonly ListFilter[];
  /** Creates a query for all records, with the alias `record`. */
  records(): SelectQueryBuilder<ObjectLiteral>;
}

/** The numbers of records and matches, counted or estimated. */
export interface ListSizes {
  /** The number of records, or more. */
  total: number;
  /** The number of records that follow the previous page, up to {@link NEXT}. */
  rest: number;
  /** The number of matches of each filter. A filter without an entry was not counted. */
  sizes: Map<ListFilter, number>;
  /** The number of records that match all filters. */
  matches: number;
}

type Counted = Omit<ListSizes, 'matches'>;
interface Source {
  records: string;
  parameters: ObjectLiteral;
}
type Query = SelectQueryBuilder<ObjectLiteral>;

/**
 * Counts the keys of each filter that has some, up to a bound, and estimates how many records a search finds, in one statement.
 *
 * @param next a query for the next records in order
 */
export async function countSets(list: FilteredList, next: Source): Promise<Counted> {
  const { table, filters } = list;
  const highest = `(SELECT COALESCE(max(key), 0) FROM ${table})`;
  const counts = statement(list, '(SELECT 1)').setParameters(next.parameters);
  counts.addSelect(highest, 'total');
  counts.addSelect(`(SELECT count(*) FROM (${next.records} LIMIT ${NEXT}) AS record)`, 'rest');
  for (const [index, { kind, keys, probe }] of filters.entries()) {
    const counted = `SELECT 1 FROM (${keys}) AS found LIMIT ${COUNTED + 1}`;
    if (keys) counts.addSelect(`(SELECT count(*) FROM (${counted}) AS counted)`, `size${index}`);
    const sample = `${table} AS record WHERE key = ANY(ARRAY(${spread(highest, SAMPLE.search)}))`;
    if (kind === 'search') counts.addSelect(`(SELECT count(*) FROM ${sample} AND ${probe})`, `size${index}`);
  }
  const { total = 0, rest = 0, ...row } = await numbers(counts);
  const sizes = filters.flatMap((filter, index): [ListFilter, number][] => {
    const size = row[`size${index}`];
    if (size === undefined || (filter.keys && size > COUNTED)) return [];
    return [[filter, filter.keys ? size : (total * Math.max(size, HARDLY_ANY)) / SAMPLE.search]];
  });
  return { total, rest, sizes: new Map(sizes) };
}

/**
 * Estimates what was not counted from a sample of all records or, if there is one, of the keys of a set.
 *
 * @param set the smallest set that was counted
 */
export async function estimate(
  list: FilteredList,
  { total, rest, sizes }: Counted,
  set: { filter: ListFilter; keys: string; size: number } | undefined,
): Promise<ListSizes> {
  const tested = list.filters.filter((filter) => (set ? filter !== set.filter : !sizes.has(filter)));
  const count = tested.every(({ kind, cost }) => kind === 'set' && !cost) ? SAMPLE.sets : SAMPLE.filters;
  const keys = set ? `SELECT key FROM (${set.keys}) AS found LIMIT ${count}` : spread(total, count);
  const tests = tested.map((filter, index) => `${byKey(list.table, filter)} AS test${index}`);
  const sample = `SELECT ${tests.join(', ')} FROM (${keys}) AS record OFFSET 0`;
  const counts = statement(list, `(${sample})`).addSelect('count(*)', 'records');
  const names = tests.map((_, index) => `test${index}`);
  counts.addSelect(`count(*) FILTER (WHERE ${all(names)})`, 'together');
  for (const name of names) counts.addSelect(`count(*) FILTER (WHERE ${name})`, name);
  const { records = 0, together = 0, ...row } = await numbers(counts);
  const estimated = tested.map((filter, index): [ListFilter, number] => {
    const size = (total * Math.max(row[`test${index}`] ?? 0, HARDLY_ANY)) / Math.max(records, 1);
    return [filter, filter.keys && !sizes.has(filter) ? Math.max(size, COUNTED) : size];
  });
  const product = (of: Iterable<[ListFilter, number]>) => [...of].reduce((all, [, size]) => (all * size) / total, 1);
  const share = together >= TELLING ? together / records : product(estimated);
  return {
    total,
    rest,
    sizes: new Map([...estimated, ...sizes]),
    matches: share * (set?.size ?? total * product(sizes)),
  };
}

/** Keys spread over all records, so that neither their order nor a period in it matters: multiples of the golden ratio. */
function spread(highest: number | string, count: number): string {
  return `SELECT 1 + floor(${highest} * (n * 0.6180339887498949 % 1))::bigint AS key FROM generate_series(1, ${count}) AS n`;
}

/** A test of a record of which only the key is known. */
export function byKey(table: string, { kind, probe }: ListFilter): string {
  if (kind === 'set') return probe;
  return `(SELECT ${probe.replaceAll('record.', 'own.')} FROM ${table} AS own WHERE own.key = record.key)`;
}

export function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

function statement({ records, filters }: FilteredList, source: string): Query {
  const created = records().createQueryBuilder().select([]).from(source, 'source');
  for (const { parameters } of filters) created.setParameters(parameters);
  return created;
}

async function numbers(query: Query): Promise<Record<string, number>> {
  const row = (await query.getRawOne<Record<string, string>>()) ?? {};
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
}
