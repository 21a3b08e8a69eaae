import type { EntityManager } from 'typeorm';
import { type AnyRecord, recordsOf } from './find-record';
import type { ListPosition } from './list-cursor';
import { orderBy } from './list-orders';
import { chooseStart, type ListRequest, matchesOf, parametersOf, walk } from './list-plan';

/** To look up all of the few takes 10 ms. A page ends where it has examined too much, however few match. */
const WORK = { few: 5_000, examined: 10_000 };

/**
 * Reads one page by keyset, so pages neither skip nor repeat a record that existed throughout, and the last page costs
 * as much as the first. One of the filters is the position after the previous page. A page can end early, short or even
 * empty: then the next page goes on where it ended.
 *
 * The choice and the page are two statements, which need not see the same moment: both ways find the same records.
 *
 * @param request wants one record more than the page has
 * @returns the records, and the position of the last record examined if there are more
 */
export async function readPage<Entity extends AnyRecord>(
  manager: EntityManager,
  entity: new () => Entity,
  request: ListRequest,
): Promise<{ records: Entity[]; end: ListPosition | undefined }> {
  const { filters, order, wanted } = request;
  const start = await chooseStart(manager, request, WORK);
  const found =
    start && start.count <= WORK.few
      ? `SELECT record.key, true AS matches, false AS is_end FROM ${matchesOf(start.filter, request)}
         ORDER BY ${orderBy(order)} LIMIT ${wanted}`
      : walk(request, WORK.examined);
  const { column, descending } = order;
  const direction = descending ? 'DESC' : 'ASC';
  const query = recordsOf(manager, entity)
    .innerJoin(`(${found})`, 'found', 'found.key = record.key')
    .addSelect('found.matches', 'matches')
    .addSelect('found.is_end', 'is_end')
    .setParameters(parametersOf(filters));
  if (column) query.addSelect(`record.${column}`, 'value').orderBy(`record.${column}`, direction);
  const { entities, raw } = await query
    .addOrderBy('record.id', direction)
    .getRawAndEntities<{ matches: boolean; is_end: boolean; value?: string | Date }>();
  const limit = wanted - 1;
  const examined = entities.slice(0, limit);
  const last = examined.at(-1);
  const hasMore = last && (entities.length > limit || raw.at(-1)?.is_end);
  return {
    records: examined.filter((_, index) => raw[index]?.matches),
    end: hasMore ? { id: last.id, detail: textOf(raw[examined.length - 1]?.value) } : undefined,
  };
}

function textOf(value: string | Date | undefined): string | undefined {
  return value instanceof Date ? value.toISOString() : value;
}
