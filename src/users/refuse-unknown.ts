import { type ErrorCode, ServiceError } from '../contract/errors';

/**
 * Refuses a list that names something unknown, and says which and where.
 *
 * @throws ServiceError with this code
 */
export function refuseUnknown(
  list: string,
  ids: readonly string[],
  known: { has(id: string): boolean },
  code: ErrorCode,
): void {
  const errors = ids.flatMap((id, index) => (known.has(id) ? [] : [{ pointer: `/${list}/${index}`, id }]));
  if (errors.length > 0) throw new ServiceError(code, { errors });
}
