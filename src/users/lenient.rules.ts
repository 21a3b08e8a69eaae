/**
 * `Prefer: handling=lenient` leaves unknown ids out instead of refusing the request. A list without any known id is
 * still refused. `sql/are_known.sql` decides this under the locks; here are the answers that follow.
 */
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { firstIndexes } from '../records/first-indexes';
import { unknownIds } from '../records/refuse-unknown';
import type { RefusedIdDto } from './dto/bulk.dto';
import type { IdList, IdLists, KnownIds } from './id-lists.rules';

/** So many take more than a result may have, with the shortest of names: `{"pointer":"/groups/0","id":"",...}`. */
const MOST_LEFT_OUT = LIMITS.pageBytes / 32;

/**
 * The first refusal of a request for which the database has not found everything.
 *
 * @param lenient whether unknown ids are refused only in a list without any known one
 */
export function refusalOfUnknown(
  lists: readonly IdList[],
  request: IdLists,
  known: KnownIds,
  lenient: boolean,
): ServiceError {
  for (const { field, records, invalid } of lists) {
    const isSkipped = lenient && known[records].length > 0;
    const refusal = isSkipped ? undefined : unknownIds(field, request[field] ?? [], new Set(known[records]), invalid);
    if (refusal) return refusal;
  }
  return new ServiceError('service.failed', {}, { cause: 'the database found every id, and still refused' });
}

/** The ids of a list that a lenient request leaves out. If there are more, their result would be too large anyway. */
export function leftOut({ field, records, invalid }: IdList, request: IdLists, known: KnownIds): RefusedIdDto[] {
  const has = new Set(known[records]);
  const ids = request[field] ?? [];
  return firstIndexes(ids, (id) => !has.has(id), MOST_LEFT_OUT).map((index) => ({
    pointer: `/${field}/${index}`,
    id: ids[index]!,
    code: invalid,
  }));
}
