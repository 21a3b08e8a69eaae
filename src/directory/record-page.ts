import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ListPosition } from './list-cursor';
import { all, byKey, isIn, type ListFilter, type ListSet, measureSets, SOME, tableOf } from './list-sets';

/** So many matches are looked up by their keys, and sorted. */
const FEW = 2_000;
/** How many records a walk tests: enough to fill a page of 50, if more than {@link FEW} of a million match and are spread evenly. */
const WALK = 40_000;
/** The same for a search, which must read each record. The second walk is worth it if the first one has found {@link PROMISING}. */
const SEARCH_WALKS = [1_500, 10_000];
const PROMISING = 8;

/** The fields of every listed record. */
export interface Listed extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

export interface PageRequest {
  limit: number;
  order: 'id' | '-createdAt';
  after?: ListPosition;
  filters: readonly ListFilter[];
}

type Records<Record extends Listed> = () => SelectQueryBuilder<Record>;

/**
 * Reads one page by keyset, so the last page costs as much as the first, and pages neither skip nor repeat a record
 * that existed throughout.
 *
 * Filters that match few records are fast when their matches are gathered and sorted. Filters that match many are fast
 * when a walk tests records in order until the page is full. So the sets are counted first, up to a bound, and a walk
 * that does not fill the page is bounded, too: at most five statements, six with a search.
 *
 * @returns one record more than `limit` if there are more
 */
export async function readPage<Record extends Listed>(records: Records<Record>, page: PageRequest): Promise<Record[]> {
  const { filters, order } = page;
  if (filters.every(({ kind }) => kind === 'column') || filters.some(({ parameters }) => parameters.ids)) {
    return full(ordered(narrowed(records(), [...filters, after(page)]), order), page);
  }
  const sets = await measureSets(records(), filters);
  const [smallest] = sets;
  const isSearch = filters.some(({ kind }) => kind === 'search');
  if (smallest && isFew(smallest, isSearch) && !isWalked(smallest.filter, order)) {
    return gather(records, page, sets, smallest);
  }
  for (const length of isSearch ? SEARCH_WALKS : [WALK]) {
    const found = await walk(records, page, sets, length);
    if (found.length > page.limit || (await endsWithin(records, page, length))) return found;
    if (found.length < PROMISING) break;
  }
  const isBySearch = isSearch && !(smallest && smallest.size <= SOME && smallest.matches > 0);
  return gather(records, page, sets, isBySearch ? undefined : smallest);
}

/** A search reads every record of the set; other filters test keys first. */
function isFew({ size, matches }: ListSet, isSearch: boolean): boolean {
  return size <= SOME && (isSearch ? size : matches) <= FEW;
}

/** Whether an index has the matches of this filter in the order of the page. */
function isWalked({ kind, keys }: ListFilter, order: PageRequest['order']): boolean {
  return order === 'id' && kind === 'column' && keys !== undefined;
}

/** Tests the next records in order. Their order and keys come from an index, so only the matches themselves are read. */
function walk<Record extends Listed>(
  records: Records<Record>,
  page: PageRequest,
  sets: readonly ListSet[],
  length: number,
): Promise<Record[]> {
  const query = records();
  const tests = page.filters.filter((filter) => !isWalked(filter, page.order));
  const table = tableOf(query);
  const order = page.order === 'id' ? 'record.id' : 'record.created_at DESC, record.id DESC';
  const walked = `SELECT * FROM ${table} AS record WHERE ${all(walkedBy(page))} ORDER BY ${order} LIMIT ${length}`;
  const found = `SELECT record.key FROM (${walked}) AS record WHERE ${all(tests.map((test) => cheapest(test, sets, table)))}`;
  query.where(`record.key = ANY(ARRAY(${found} ORDER BY ${order} LIMIT ${page.limit + 1}))`, parametersOf(page));
  return full(ordered(query, page.order), page);
}

/** Whether a walk of this length tests all records. */
async function endsWithin<Record extends Listed>(
  records: Records<Record>,
  page: PageRequest,
  length: number,
): Promise<boolean> {
  const rest = records()
    .select('1', 'one')
    .where(all(walkedBy(page)), parametersOf(page));
  return (await ordered(rest, page.order).offset(length).limit(1).getRawOne()) === undefined;
}

/** Looks up all matches in a set or, without one, by the index of the search. */
function gather<Record extends Listed>(
  records: Records<Record>,
  page: PageRequest,
  sets: readonly ListSet[],
  set: ListSet | undefined,
): Promise<Record[]> {
  const query = records();
  const others = page.filters.filter((filter) => filter !== set?.filter);
  const byKeys = set ? others.filter(({ kind }) => kind === 'set') : [];
  narrowed(query, [...others.filter((filter) => !byKeys.includes(filter)), after(page)]);
  if (set) {
    const tests = all(byKeys.map((filter) => cheapest(filter, sets, tableOf(query))));
    const keys = `SELECT record.key FROM (${set.keys}) AS record WHERE ${tests}`;
    query.andWhere(`record.key = ANY(ARRAY(${keys}))`, parametersOf(page));
  }
  // PostgreSQL might walk through all records if an index had this order.
  const [first, direction] =
    page.order === 'id' ? [`record.id || ''`, 'ASC' as const] : [`record.created_at + interval '0'`, 'DESC' as const];
  query.addSelect(first, 'sorting').orderBy('sorting', direction).addOrderBy('record.id', direction);
  return full(query, page);
}

/** A set that fits into memory is hashed. Otherwise each record is looked up. */
function cheapest(filter: ListFilter, sets: readonly ListSet[], table: string): string {
  const set = sets.find((other) => other.filter === filter);
  if (set && set.size <= SOME) return isIn(set);
  return filter.kind === 'search' ? filter.probe : byKey(table, filter);
}

function walkedBy(page: PageRequest): string[] {
  return [after(page), ...page.filters.filter((filter) => isWalked(filter, page.order))].map(({ probe }) => probe);
}

function after({ order, after }: PageRequest): Pick<ListFilter, 'parameters' | 'probe'> {
  if (!after) return { parameters: {}, probe: 'true' };
  const { id, createdAt } = after;
  return order === 'id'
    ? { parameters: { afterId: id }, probe: 'record.id > :afterId' }
    : {
        parameters: { afterId: id, afterCreatedAt: createdAt },
        probe: '(record.created_at, record.id) < (:afterCreatedAt, :afterId)',
      };
}

function parametersOf(page: PageRequest): ObjectLiteral {
  const conditions = [...page.filters, after(page)];
  return Object.assign({}, ...conditions.map(({ parameters }) => parameters)) as ObjectLiteral;
}

function narrowed<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  filters: readonly Pick<ListFilter, 'parameters' | 'probe'>[],
): SelectQueryBuilder<Record> {
  for (const { probe, parameters } of filters) query.andWhere(probe, parameters);
  return query;
}

function ordered<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  order: PageRequest['order'],
): SelectQueryBuilder<Record> {
  return order === 'id'
    ? query.orderBy('record.id')
    : query.orderBy('record.createdAt', 'DESC').addOrderBy('record.id', 'DESC');
}

function full<Record extends Listed>(query: SelectQueryBuilder<Record>, { limit }: PageRequest): Promise<Record[]> {
  return query.limit(limit + 1).getMany();
}
