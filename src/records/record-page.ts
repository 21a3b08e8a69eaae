import type { EntityManager, ObjectLiteral } from 'typeorm';
import { type AnyRecord, recordsOf } from './find-record';
import type { ListFilter, ListOrder } from './list-filters';

/** A filter is selective if at most this number of records match it. To look all of them up takes 10 ms. */
const FEW = 5_000;
/** A page ends after it has walked over this number of records, however few of them match. */
const EXAMINED = 10_000;
/** A search is selective if it finds fewer than `common` records of a sample. Counting all that it finds could take a second. */
const SAMPLE = { records: 200, common: 3 };

const ORDER = { id: 'record.id', '-createdAt': 'record.created_at DESC, record.id DESC' };

/** A page of the records that match all filters. One of the filters is the position after the previous page. */
export interface PageRequest {
  table: string;
  filters: readonly ListFilter[];
  order: ListOrder;
  limit: number;
}

/**
 * Reads one page by keyset, so pages neither skip nor repeat a record that existed throughout, and the last page costs as much
 * as the first.
 *
 * A page is found in one of two ways. If a filter is selective, the page starts from all its matches, tests them by the other
 * filters and sorts them. Otherwise it walks over the records in their order and tests each, until the page is full. Many
 * records match each filter then, so the walk is short unless few match all of them: then the page ends early, short or even
 * empty, and the next page goes on where it ended.
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
  { table, filters }: PageRequest,
  parameters: ObjectLiteral,
): Promise<ListFilter | undefined> {
  const candidates = filters.filter(({ kind, keys }) => keys ?? kind === 'search');
  if (candidates.length === 0) return undefined;
  const sample = `SELECT (random() * last)::bigint FROM (SELECT max(key) AS last FROM ${table}) AS keys, generate_series(1, ${SAMPLE.records})`;
  const matches = candidates.map(({ keys, probe }) =>
    keys
      ? `SELECT FROM (${keys}) AS found LIMIT ${FEW + 1}`
      : `SELECT FROM ${table} AS record WHERE key = ANY(ARRAY(${sample})) AND ${probe}`,
  );
  const counts = matches.map((matching) => `(SELECT count(*) FROM (${matching}) AS matching)::integer`);
  const query = manager.createQueryBuilder().select(`ARRAY[${counts.join()}]`, 'counts').from('(SELECT 1)', 'one');
  const row = await query.setParameters(parameters).getRawOne<{ counts: number[] }>();
  const counted = candidates.map((filter, index) => ({ filter, count: row?.counts[index] ?? 0 }));
  const [fewest] = counted
    .filter(({ filter, count }) => filter.keys && count <= FEW)
    .toSorted((one, other) => one.count - other.count);
  const search = counted.find(({ filter, count }) => !filter.keys && count < SAMPLE.common);
  return (fewest ?? search)?.filter;
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
 * The index of the order has the keys, so that sets are tested without reading the records. The last record of the walk is returned
 * even if it does not match: the next page goes on behind it. OFFSET 0 keeps PostgreSQL from testing a record twice.
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
