import type { SelectQueryBuilder } from 'typeorm';
import { all, countSets, estimate, type ListFilter, type ListSizes, NEXT } from './list-sets';
import { isWalk, type ListWay, type Walk, walkOf, waysOf } from './list-ways';
import {
  after,
  keysAmong,
  keysOneByOne,
  type Listed,
  type PageRequest,
  parametersOf,
  walkedBy,
  walkedIn,
  walkOver,
} from './page-keys';

/** A set with at most this number of keys is looked up without further estimates. */
const FEW = 300;
/** A walk that has not filled the page is followed by a longer one if it has found at least this number of matches. */
const PROMISING = 8;

/** Whether these filters need no estimates, so that one statement reads the page. */
export function isOneStatement(filters: readonly ListFilter[]): boolean {
  return filters.every(({ kind }) => kind === 'column') || filters.some(({ parameters }) => parameters.ids);
}

/**
 * Reads one page by keyset, so the last page costs as much as the first, and pages neither skip nor repeat a record
 * that existed throughout.
 *
 * Filters that match few records are fast when their matches are gathered and sorted. Filters that match many are fast
 * when a walk tests records in order until the page is full. So the sets are counted first, up to a bound, and other sizes
 * are estimated from a sample. Then the cheapest way is taken. If a walk does not fill the page, a longer walk or another
 * way follows. These are at most seven statements, which must see the same moment.
 *
 * @returns one record more than `limit` if there are more
 */
export async function readPage<Record extends Listed>(page: PageRequest<Record>): Promise<Record[]> {
  const { filters, limit } = page;
  if (isOneStatement(filters)) {
    const query = page.records();
    for (const { probe, parameters } of [...filters, after(page)]) query.andWhere(probe, parameters);
    return full(query, page);
  }
  const sizes = await measure(page);
  if (sizes.matches === 0 || sizes.rest === 0) return [];
  const ways = waysOf(filters, sizes, walkedIn(page), limit + 1);
  const [cheapest] = ways;
  if (cheapest && isWalk(cheapest)) {
    const { length } = cheapest.from;
    const first = await walk(page, cheapest);
    if (first.isWhole) return first.found;
    if (first.found.length >= PROMISING) {
      const longer = walkOf(filters, sizes, walkedIn(page), (limit * length) / first.found.length);
      const second = await walk(page, longer);
      if (second.isWhole) return second.found;
    }
  }
  const gathered = ways.find((way) => !isWalk(way));
  return gathered ? gather(page, gathered) : [];
}

async function measure(page: PageRequest): Promise<ListSizes> {
  const { filters } = page;
  const counted = await countSets(page, { records: walkOver(page, '*'), parameters: parametersOf(page) });
  // Hardly any record fails a filter that has no keys, such as that for active users.
  const [only] =
    filters.filter(({ kind, keys }) => keys || kind === 'search').length === 1 ? [...counted.sizes.values()] : [];
  const [smallest] = [...counted.sizes]
    .flatMap(([filter, size]) => (filter.keys ? [{ filter, keys: filter.keys, size }] : []))
    .toSorted((one, other) => one.size - other.size);
  if (only !== undefined) return { ...counted, matches: only };
  if (counted.rest < NEXT || (smallest && smallest.size <= FEW)) {
    return { ...counted, matches: smallest?.size ?? counted.total };
  }
  return estimate(page, counted, smallest);
}

/** Tests the next records in order. @returns the matches, and whether they are the page: it is full, or no records are left */
async function walk<Record extends Listed>(
  page: PageRequest<Record>,
  way: Walk,
): Promise<{ found: Record[]; isWhole: boolean }> {
  const { length } = way.from;
  const next = (columns: 'key' | '*') => `${walkOver(page, columns)} LIMIT ${length}`;
  const found = await withKeys(
    way.joined.length > 0 ? keysAmong(page, way, next('key')) : keysOneByOne(page, next('*')),
    page,
  );
  if (found.length > page.limit) return { found, isWhole: true };
  const beyond = page
    .records()
    .select('1', 'one')
    .where(all(walkedBy(page)), parametersOf(page));
  const last: unknown = await ordered(beyond, page).offset(length).limit(1).getRawOne();
  return { found, isWhole: last === undefined };
}

/** Looks up all matches in a set, or by the index of the search. */
function gather<Record extends Listed>(page: PageRequest<Record>, way: ListWay): Promise<Record[]> {
  return withKeys(keysAmong(page, way, 'keys' in way.from ? way.from.keys : undefined), page);
}

function withKeys<Record extends Listed>(keys: string, page: PageRequest<Record>): Promise<Record[]> {
  return full(page.records().where(`record.key = ANY(ARRAY(${keys}))`, parametersOf(page)), page);
}

function full<Record extends Listed>(query: SelectQueryBuilder<Record>, page: PageRequest<Record>): Promise<Record[]> {
  return ordered(query, page)
    .limit(page.limit + 1)
    .getMany();
}

function ordered<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  { order }: PageRequest<Record>,
): SelectQueryBuilder<Record> {
  return order === 'id'
    ? query.orderBy('record.id')
    : query.orderBy('record.createdAt', 'DESC').addOrderBy('record.id', 'DESC');
}
