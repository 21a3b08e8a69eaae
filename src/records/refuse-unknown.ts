import { type ErrorCode, ServiceError } from '../contract/errors';

/** The refusal of a list that names something unknown, with the positions. */
export function unknownIds(
  list: string,
  ids: readonly string[],
  known: { has(id: string): boolean },
  code: ErrorCode,
): ServiceError | undefined {
  const errors = ids.flatMap((id, index) => (known.has(id) ? [] : [{ pointer: `/${list}/${index}`, id }]));
  return errors.length === 0 ? undefined : new ServiceError(code, { args: { field: list }, errors });
}

/**
 * Refuses a list that names something unknown, with the positions.
 *
 * @throws ServiceError with this code
 */
export function refuseUnknown(...list: Parameters<typeof unknownIds>): void {
  const refusal = unknownIds(...list);
  if (refusal) throw refusal;
}
