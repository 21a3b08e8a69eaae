import type { EntityManager } from 'typeorm';
import { LIMITS } from '../contract/limits';
import { LIST_ORDERS } from './list-orders';
import { chooseStart, type ListRequest, matchesOf, parametersOf, walk } from './list-plan';

/** How many records match all filters of a list. */
export interface ListTotal {
  count: number;
  /** Whether there are no more than `count`. */
  exact: boolean;
}

/** Counting is worth more than a page: a tenth of a second. */
const WORK = { few: 50_000, examined: 50_000 };

/**
 * Counts the records that match all filters, to 10,000 at most. Where each filter matches more records than may be
 * examined, and few match all of them, the count is what was found among those examined.
 */
export async function countMatches(
  manager: EntityManager,
  { table, filters }: Pick<ListRequest, 'table' | 'filters'>,
): Promise<ListTotal> {
  const request = { table, filters, order: LIST_ORDERS.id, wanted: LIMITS.counted + 1 };
  const start = await chooseStart(manager, request, WORK);
  const isWhole = !start || start.count <= WORK.few;
  const found = start
    ? `SELECT true AS matches, false AS is_end FROM ${matchesOf(start.filter, request, isWhole ? undefined : WORK.few)}
       LIMIT ${request.wanted}`
    : walk(request, WORK.examined);
  const row = await manager
    .createQueryBuilder()
    .select('count(*) FILTER (WHERE matches)::integer', 'count')
    .addSelect('COALESCE(bool_or(is_end), false)', 'ended')
    .from(`(${found})`, 'found')
    .setParameters(parametersOf(filters))
    .getRawOne<{ count: number; ended: boolean }>();
  const { count = 0, ended = false } = row ?? {};
  return { count: Math.min(count, LIMITS.counted), exact: isWhole && !ended && count <= LIMITS.counted };
}
