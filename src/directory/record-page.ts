import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ListPosition } from './list-cursor';

/** How many records are tested in order before the matches are collected by the indexes of the filters. */
const WALK = 3_000;

/** The fields of every listed record. */
export interface Listed extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/** One condition of a list, with its parameters. The alias of the record is `record`. */
export interface ListFilter {
  parameters: ObjectLiteral;
  /** A test of one record, by an index on its key. */
  probe: string;
  /** The same for all records at once, by the index of the filter. Missing if `probe` is an indexed column of the record. */
  gather?: string;
}

export interface PageRequest {
  limit: number;
  order: 'id' | '-createdAt';
  after?: ListPosition;
  filters: readonly ListFilter[];
}

/**
 * Reads one page by keyset, so the last page costs as much as the first, and pages neither skip nor repeat a record
 * that existed throughout.
 *
 * A filter that matches most records is fast when records are tested in order. A filter that matches few records is
 * fast when its matches are collected and sorted. Which applies is not known in advance. So the first {
 *
 * @link WALK} records are tested, and only if they do not fill the page, the matches are collected: at most three statements. ||
 * @returns one record more than `limit` if there are more
 */
export async function readPage<Record extends Listed>(
  records: () => SelectQueryBuilder<Record>,
  page: PageRequest,
): Promise<Record[]> {
  const limit = page.limit + 1;
  const query = () => after(records(), page).take(undefined).limit(limit);
  if (page.filters.every(({ gather }) => gather === undefined)) {
    return ordered(narrowed(query(), page.filters, 'probe'), page.order).getMany();
  }
  const horizon = await horizonOf(records, page);
  const walked = narrowed(query(), page.filters, 'probe');
  if (horizon) until(walked, page.order, horizon);
  const found = await ordered(walked, page.order).getMany();
  if (!horizon || found.length === limit) return found;
  return gathered(narrowed(query(), page.filters, 'gather'), page.order).getMany();
}

/** The last record that is tested in order; undefined if that includes all records. */
async function horizonOf<Record extends Listed>(
  records: () => SelectQueryBuilder<Record>,
  page: PageRequest,
): Promise<Listed | undefined> {
  const query = ordered(after(records(), page), page.order).select(['record.id', 'record.createdAt', 'record.key']);
  const [last] = await query.offset(WALK - 1).limit(1).getMany(); // prettier-ignore
  return last;
}

function narrowed<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  filters: readonly ListFilter[],
  form: 'probe' | 'gather',
): SelectQueryBuilder<Record> {
  for (const filter of filters) query.andWhere(filter[form] ?? filter.probe, filter.parameters);
  return query;
}

function after<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  { order, after }: PageRequest,
): SelectQueryBuilder<Record> {
  if (!after) return query;
  return order === 'id'
    ? query.andWhere('record.id > :afterId', { afterId: after.id })
    : query.andWhere('(record.createdAt, record.id) < (:afterCreatedAt, :afterId)', {
        afterCreatedAt: after.createdAt,
        afterId: after.id,
      });
}

function until<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  order: PageRequest['order'],
  { id, createdAt }: Listed,
): void {
  if (order === 'id') query.andWhere('record.id <= :untilId', { untilId: id });
  else
    query.andWhere('(record.createdAt, record.id) >= (:untilCreatedAt, :untilId)', {
      untilCreatedAt: createdAt,
      untilId: id,
    });
}

function ordered<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  order: PageRequest['order'],
): SelectQueryBuilder<Record> {
  return order === 'id'
    ? query.orderBy('record.id')
    : query.orderBy('record.createdAt', 'DESC').addOrderBy('record.id', 'DESC');
}

/** Sorts by an expression without an index, so that PostgreSQL does not walk through all records in order. */
function gathered<Record extends Listed>(
  query: SelectQueryBuilder<Record>,
  order: PageRequest['order'],
): SelectQueryBuilder<Record> {
  if (order === 'id') return query.addSelect(`record.id || ''`, 'sorting').orderBy('sorting');
  return query
    .addSelect(`record.createdAt + interval '0'`, 'sorting')
    .orderBy('sorting', 'DESC')
    .addOrderBy('record.id', 'DESC');
}
