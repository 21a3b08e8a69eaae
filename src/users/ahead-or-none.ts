import type { EntityManager } from 'typeorm';
import { ServiceError } from '../contract/errors';
import { readInstant } from '../contract/instants';

/**
 * The end of an account that a body gives: a time ahead, at most ten years by the clock of the database, or none.
 * Undefined if the body says nothing.
 *
 * @param told the end that the account has, which can be sent back wherever it lies
 * @throws ServiceError `field.invalid`
 */
export async function aheadOrNone(
  manager: EntityManager,
  given: string | null | undefined,
  told: Date | null = null,
): Promise<Date | null | undefined> {
  if (typeof given !== 'string') return given;
  const end = readInstant(given);
  if (end && end.getTime() === told?.getTime()) return end;
  const [row] = (await manager.query('SELECT is_ahead($1) AS "isAhead"', [end])) as [{ isAhead: boolean }];
  if (end && row.isAhead) return end;
  throw new ServiceError('field.invalid', { args: { field: 'activeUntil' }, errors: [{ pointer: '/activeUntil' }] });
}
