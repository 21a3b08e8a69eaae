import type { EntityManager, ObjectLiteral } from 'typeorm';
import { type AnyRecord, recordsOf } from './find-record';
import type { ListFilter, ListOrder } from './list-filters';

/** A filter is selective if at most this number of records match it. To look all of them up takes 10 ms. */
const FEW = 5_000;
/** A page ends after it has walked over this number of records, however few of them match. */
const EXAMINED = 10_000;
/** How much of a table is read to guess how many records a search finds. To count them all could take a second. */
const SAMPLED_BYTES = 32 * 8192;
/** Microseconds for a record that a search finds by its index, and for one that a walk passes. */
const COST = { match: 4, walked: 2.5 };

const ORDER = { id: 'record.id', '-createdAt': 'record.created_at DESC, record.id DESC' };

/** A page of the records that match all filters. One of the filters is the position after the previous page. */
export interface PageRequest {
  table: string;
  filters: readonly ListFilter[];
  order: ListOrder;
  limit: number;
}

/**
 * Reads one page by keyset, so pages neither skip nor repeat a record that existed throughout, and the last page costs
 * as much as the first.
 *
 * A page is found in one of two ways. If a filter is selective, the page starts from all its matches, tests them by the
 * other filters and sorts them. Otherwise it walks over the records in their order and tests each, until the page is
 * full. Many records match each filter then, so the walk is short unless few match all of them: then the page ends
 * early, short or even empty, and the next page goes on where it ended.
 *
 * The counts and the page are two statements, which need not see the same moment: both ways find the same records.
 *
 * @returns the records, and the last record examined if there are more
 */
export async function readPage<Entity extends AnyRecord>(
  manager: EntityManager,
  entity: new () => Entity,
  page: PageRequest,
): Promise<{ records: Entity[]; end: Entity | undefined }> {
  const parameters = Object.assign({}, ...page.filters.map((filter) => filter.parameters)) as ObjectLiteral;
  const selective = await mostSelective(manager, page, parameters);
  const found = selective ? startFrom(selective, page) : walk(page);
  const query = recordsOf(manager, entity)
    .innerJoin(`(${found})`, 'found', 'found.key = record.key')
    .addSelect('found.matches', 'matches')
    .addSelect('found.is_end', 'isEnd')
    .setParameters(parameters);
  if (page.order === 'id') query.orderBy('record.id');
  else query.orderBy('record.createdAt', 'DESC').addOrderBy('record.id', 'DESC');
  const { entities, raw } = await query.getRawAndEntities<{ matches: boolean; isEnd: boolean }>();
  const examined = entities.slice(0, page.limit);
  const hasMore = entities.length > page.limit || raw.at(-1)?.isEnd;
  return { records: examined.filter((_, index) => raw[index]?.matches), end: hasMore ? examined.at(-1) : undefined };
}

/** @returns the selective filter with the fewest matches; undefined if no filter is selective */
async function mostSelective(
  manager: EntityManager,
  { table, filters, limit }: PageRequest,
  parameters: ObjectLiteral,
): Promise<ListFilter | undefined> {
  const keyed = filters.filter(({ keys }) => keys);
  const search = filters.find(({ kind }) => kind === 'search');
  if (keyed.length === 0 && !search) return undefined;
  const counts = keyed.map(
    ({ keys }) => `(SELECT count(*) FROM (SELECT FROM (${keys}) AS found LIMIT ${FEW + 1}) AS matching)::integer`,
  );
  const query = manager
    .createQueryBuilder()
    .select(`ARRAY[${counts.join()}]::integer[]`, 'counts')
    .from('(SELECT 1)', 'one');
  if (search) query.addSelect(`(${sampleOf(table, search)})`, 'sample');
  const row = await query.setParameters(parameters).getRawOne<{ counts: number[]; sample?: Sample }>();
  const [fewest] = keyed
    .map((filter, index) => ({ filter, count: row?.counts[index] ?? 0 }))
    .filter(({ count }) => count <= FEW)
    .toSorted((one, other) => one.count - other.count);
  const isAlone = keyed.length === 0;
  return fewest?.filter ?? (row?.sample && startsFromMatches(row.sample, limit, isAlone) ? search : undefined);
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
 * Whether it takes longer to walk until the page is full than to look up all matches of a search. If other filters must
 * match as well, the walk is taken for as long as it can be.
 */
function startsFromMatches({ records, matches, total }: Sample, limit: number, isAlone: boolean): boolean {
  if (matches === 0 || total === null) return true;
  const share = matches / records;
  const walked = isAlone ? Math.min(EXAMINED, (limit + 1) / share) : EXAMINED;
  return share * total * COST.match < walked * COST.walked;
}

/** OFFSET 0 keeps PostgreSQL from walking over the records. */
function startFrom(selective: ListFilter, { table, filters, order, limit }: PageRequest): string {
  const source = selective.keys ? `record.key = ANY(ARRAY(${selective.keys}))` : selective.probe;
  const others = filters.filter((filter) => filter !== selective);
  return `SELECT record.key, true AS matches, false AS is_end
    FROM (SELECT * FROM ${table} AS record WHERE ${source} OFFSET 0) AS record
    WHERE ${all(others)} ORDER BY ${ORDER[order]} LIMIT ${limit + 1}`;
}

/**
 * The index of the order has the keys, so that sets are tested without reading the records. The last record of the walk
 * is returned even if it does not match: the next page goes on behind it. OFFSET 0 keeps PostgreSQL from testing a
 * record twice.
 */
function walk({ table, filters, order, limit }: PageRequest): string {
  const inIndex = filters.filter(({ kind }) => kind === 'id' || (kind === 'column' && order === 'id'));
  const tests = filters.filter((filter) => !inIndex.includes(filter));
  return `SELECT record.key, matches, is_end FROM (
      SELECT record.*, ${all(tests)} AS matches FROM (
        SELECT record.*, row_number() OVER (ORDER BY ${ORDER[order]}) = ${EXAMINED} AS is_end
        FROM ${table} AS record WHERE ${all(inIndex)} ORDER BY ${ORDER[order]} LIMIT ${EXAMINED}
      ) AS record ORDER BY ${ORDER[order]} OFFSET 0
    ) AS record WHERE matches OR is_end ORDER BY ${ORDER[order]} LIMIT ${limit + 1}`;
}

function all(filters: readonly ListFilter[]): string {
  return filters.length === 0 ? 'true' : filters.map(({ probe }) => probe).join(' AND ');
}
