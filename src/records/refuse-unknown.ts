import { type ErrorCode, ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { firstIndexes } from './first-indexes';

/** The refusal of a list that names something unknown, with the first positions. */
export function unknownIds(
  list: string,
  ids: readonly string[],
  known: { has(id: string): boolean },
  code: ErrorCode,
): ServiceError | undefined {
  const unknown = firstIndexes(ids, (id) => !known.has(id), LIMITS.errorLocations);
  const errors = unknown.map((index) => ({ pointer: `/${list}/${index}`, id: ids[index] }));
  return errors.length === 0 ? undefined : new ServiceError(code, { args: { field: list }, errors });
}

/**
 * Refuses a list that names something unknown, with the first positions.
 *
 * @throws ServiceError with this code
 */
export function refuseUnknown(...list: Parameters<typeof unknownIds>): void {
  const refusal = unknownIds(...list);
  if (refusal) throw refusal;
}
