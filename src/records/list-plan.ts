import type { EntityManager, ObjectLiteral } from 'typeorm';
import type { ListFilter } from './list-filters';
import { type ListOrder, orderBy } from './list-orders';

/** How much of a table is read to guess how many records a search finds. To count them all could take a second. */
const SAMPLED_BYTES = 32 * 8192;
/** Microseconds for a record that a search finds by its index, and for one that a walk passes. */
const COST = { match: 4, walked: 2.5 };

/** The first `wanted` records that match all filters, in this order. */
export interface ListRequest {
  table: string;
  filters: readonly ListFilter[];
  order: ListOrder;
  wanted: number;
}

/** How much a request may read. */
export interface ListWork {
  /** A filter is selective if at most this number of records match it. */
  few: number;
  /** The number of records that a walk passes. */
  examined: number;
}

/** The filter that the fewest records match: `count` is at most one more than those that are few. */
export interface Fewest {
  filter: ListFilter;
  count: number;
}

/**
 * The planner of lists. The records that match all filters are found in one of two ways. If a filter is selective, all
 * its matches are tested by the other filters, and sorted. Otherwise the records are walked in their order, and each is
 * tested, until enough are found. Many records match each filter then, so the walk is short unless few match all of
 * them: it ends where it has examined too much.
 *
 * @returns the filter to start from; undefined for a walk
 */
export async function chooseStart(
  manager: EntityManager,
  { table, filters, wanted }: ListRequest,
  { few, examined }: ListWork,
): Promise<Fewest | undefined> {
  const unique = filters.find(({ kind }) => kind === 'few');
  if (unique) return { filter: unique, count: 0 };
  const keyed = filters.filter(({ keys }) => keys);
  const search = filters.find(({ kind }) => kind === 'search');
  if (keyed.length === 0 && !search) return undefined;
  const counts = keyed.map(
    ({ keys }) => `(SELECT count(*) FROM (SELECT FROM (${keys}) AS found LIMIT ${few + 1}) AS matching)::integer`,
  );
  const query = manager
    .createQueryBuilder()
    .select(`ARRAY[${counts.join()}]::integer[]`, 'counts')
    .from('(SELECT 1)', 'one');
  if (search) query.addSelect(`(${sampleOf(table, search)})`, 'sample');
  const row = await query.setParameters(parametersOf(filters)).getRawOne<{ counts: number[]; sample?: Sample }>();
  const [fewest] = keyed
    .map((filter, index) => ({ filter, count: row?.counts[index] ?? 0 }))
    .toSorted((one, other) => one.count - other.count);
  if (fewest && fewest.count <= few) return fewest;
  const isRare = row?.sample && startsFromMatches(row.sample, keyed.length === 0 ? wanted : Infinity, examined);
  return search && isRare ? { filter: search, count: 0 } : fewest;
}

/** What a search found in a sample of the table. */
interface Sample {
  records: number;
  matches: number;
  /** Of the table, at most. Null if it is empty. */
  total: number | null;
}

/** Whole pages of the table: to look up as many records by random keys reads a hundred times as much. */
function sampleOf(table: string, { probe }: ListFilter): string {
  const percent = `(SELECT 100 * LEAST(1, ${SAMPLED_BYTES} / GREATEST(pg_relation_size('${table}'), 1)::float))`;
  return `SELECT json_build_object(
      'records', count(*), 'matches', count(*) FILTER (WHERE ${probe}), 'total', (SELECT max(key) FROM ${table}))
    FROM ${table} AS record TABLESAMPLE SYSTEM (${percent})`;
}

/**
 * Whether it takes longer to walk until enough are found than to look up all matches of a search. If other filters must
 * match as well, the walk is taken for as long as it can be.
 */
function startsFromMatches({ records, matches, total }: Sample, wanted: number, examined: number): boolean {
  if (matches === 0 || total === null) return true;
  const share = matches / records;
  return share * total * COST.match < Math.min(examined, wanted / share) * COST.walked;
}

/**
 * The matches of a filter that also match the others. OFFSET 0 keeps PostgreSQL from walking over the records.
 *
 * @param most of the matches, if the filter is not selective
 */
export function matchesOf(filter: ListFilter, { table, filters }: ListRequest, most?: number): string {
  const keys = filter.keys && (most === undefined ? filter.keys : `SELECT * FROM (${filter.keys}) AS k LIMIT ${most}`);
  const source = keys ? `record.key = ANY(ARRAY(${keys}))` : filter.probe;
  const others = filters.filter((other) => other !== filter);
  return `(SELECT * FROM ${table} AS record WHERE ${source} OFFSET 0) AS record WHERE ${all(others)}`;
}

/**
 * A query for the keys that a walk finds, in order. `is_end` marks the last record of a walk that has examined too
 * much, which is returned even if it does not match.
 *
 * The index of the order has the keys, so sets are tested without reading the records. OFFSET 0 keeps PostgreSQL from
 * testing a record twice.
 */
export function walk({ table, filters, order, wanted }: ListRequest, examined: number): string {
  const by = orderBy(order);
  const inIndex = filters.filter(({ kind }) => kind === 'position' || (kind === 'column' && !order.column));
  const tests = filters.filter((filter) => !inIndex.includes(filter));
  // Another table in the order of the list has no other column of the record.
  const stored = order.source ? tests.filter(({ kind }) => kind !== 'set') : [];
  const others = tests.filter((filter) => !stored.includes(filter));
  const ofRecord = `(SELECT ${all(stored)} FROM ${table} AS record WHERE key = walked_key)`;
  const matches = [...(stored.length > 0 ? [ofRecord] : []), all(others)].join(' AND ');
  return `SELECT record.key, matches, is_end FROM (
      SELECT record.*, ${matches} AS matches FROM (
        SELECT record.*, record.key AS walked_key, row_number() OVER (ORDER BY ${by}) = ${examined} AS is_end
        FROM ${order.source ?? table} AS record WHERE ${all(inIndex)} ORDER BY ${by} LIMIT ${examined}
      ) AS record ORDER BY ${by} OFFSET 0
    ) AS record WHERE matches OR is_end ORDER BY ${by} LIMIT ${wanted}`;
}

export function parametersOf(filters: readonly ListFilter[]): ObjectLiteral {
  return Object.assign({}, ...filters.map(({ parameters }) => parameters)) as ObjectLiteral;
}

function all(filters: readonly ListFilter[]): string {
  return filters.length === 0 ? 'true' : filters.map(({ probe }) => probe).join(' AND ');
}
