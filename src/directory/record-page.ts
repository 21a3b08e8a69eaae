import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { all, countSets, estimate, type ListFilter, type ListSizes, NEXT, tableOf } from './list-sets';
import { type ListWay, walksOf, waysOf } from './list-ways';
import {
  after,
  keysAmong,
  keysOneByOne,
  type PageRequest,
  parametersOf,
  walkedBy,
  walkedIn,
  walkOver,
} from './page-keys';

/** A set of so few keys is looked up without further estimates. */
const FEW = 300;
/** A walk that has not filled the page is worth a longer one if it has found so many. */
const PROMISING = 8;

/** The fields of every listed record. */
export interface Listed extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

type Records<Record extends Listed> = () => SelectQueryBuilder<Record>;

/**
 * Reads one page by keyset, so the last page costs as much as the first, and pages neither skip nor repeat a record
 * that existed throughout.
 *
 * Filters that match few records are fast when their matches are gathered and sorted. Filters that match many are fast
 * when a walk tests records in order until the page is full. So the sets are counted first, up to a bound. What is not
 * known then is estimated from a sample, and the cheapest way is taken. If a walk does not fill the page, a longer one
 * or another way does: at most seven statements.
 *
 * @returns one record more than `limit` if there are more
 */
export async function readPage<Record extends Listed>(records: Records<Record>, page: PageRequest): Promise<Record[]> {
  const { filters, order, limit } = page;
  if (filters.every(({ kind }) => kind === 'column') || filters.some(({ parameters }) => parameters.ids)) {
    return full(ordered(narrowed(records(), [...filters, after(page)]), order), page);
  }
  const sizes = await measure(records, page);
  if (sizes.matches === 0 || sizes.rest === 0) return [];
  const ways = waysOf(filters, sizes, walkedIn(page), limit + 1);
  const [cheapest] = ways;
  if (cheapest?.from.kind === 'walk') {
    const found = await walk(records, page, cheapest, cheapest.from.length);
    if (found.isWhole) return found.page;
    if (found.page.length >= PROMISING) {
      const length = (limit * cheapest.from.length) / found.page.length;
      const [longer] = walksOf(filters, sizes, walkedIn(page), length);
      const second = longer?.from.kind === 'walk' ? await walk(records, page, longer, longer.from.length) : undefined;
      if (second?.isWhole) return second.page;
    }
  }
  const gathered = ways.find(({ from }) => from.kind !== 'walk');
  return gathered ? gather(records, page, gathered) : [];
}

async function measure<Record extends Listed>(records: Records<Record>, page: PageRequest): Promise<ListSizes> {
  const { filters } = page;
  const next = { records: walkOver(tableOf(records()), page, '*'), parameters: parametersOf(page) };
  const counted = await countSets(records(), filters, next);
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
  return estimate(records(), filters, counted, smallest);
}

/** Tests the next records in order. @returns whether this is the page, because it is full or the walk has tested all */
async function walk<Record extends Listed>(
  records: Records<Record>,
  page: PageRequest,
  way: ListWay,
  length: number,
): Promise<{ page: Record[]; isWhole: boolean }> {
  const next = (columns: 'key' | '*') => `${walkOver(tableOf(records()), page, columns)} LIMIT ${length}`;
  const keys =
    way.joined.length > 0
      ? keysAmong(tableOf(records()), page, way, next('key'))
      : keysOneByOne(tableOf(records()), page, next('*'));
  const found = await full(
    ordered(records().where(`record.key = ANY(ARRAY(${keys}))`, parametersOf(page)), page.order),
    page,
  );
  if (found.length > page.limit) return { page: found, isWhole: true };
  const beyond = records()
    .select('1', 'one')
    .where(all(walkedBy(page)), parametersOf(page));
  const last: unknown = await ordered(beyond, page.order).offset(length).limit(1).getRawOne();
  return { page: found, isWhole: last === undefined };
}

/** Looks up all matches in a set, or by the index of the search. */
function gather<Record extends Listed>(records: Records<Record>, page: PageRequest, way: ListWay): Promise<Record[]> {
  const keys = keysAmong(tableOf(records()), page, way, 'keys' in way.from ? way.from.keys : undefined);
  return full(ordered(records().where(`record.key = ANY(ARRAY(${keys}))`, parametersOf(page)), page.order), page);
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
