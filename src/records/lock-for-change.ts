import type { EntityManager } from 'typeorm';
import { type Preconditions, requirePreconditions } from '../answers/etag';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import { type AnyRecord, type FoundRecord, lockRecord, type RecordLock, requireRecord } from './find-record';
import type { Attribution } from '../contract/attribution';

interface ChangedRecord<Entity extends AnyRecord> {
  entity: new () => Entity;
  id: string;
  lock: RecordLock;
  /** The body of `GET`, for the preconditions. */
  toBody(found: FoundRecord<Entity>): object;
}

/**
 * Locks the record that a request changes or deletes, and refuses the request in the order that docs/decisions.md
 * states: the caller has lost authority, the record does not exist, or a precondition is false.
 *
 * @throws what `judgeCaller` throws, ServiceError `user.unknown` or the like, `record.changed`
 */
export async function lockForChange<Entity extends AnyRecord>(
  manager: EntityManager,
  context: Attribution & Preconditions,
  { entity, id, lock, toBody }: ChangedRecord<Entity>,
): Promise<{ found: FoundRecord<Entity>; judged: Judged }> {
  const locked = await lockRecord(manager, entity, id, lock);
  const judged = await judgeCaller(manager, context);
  const found = requireRecord(entity, locked);
  requirePreconditions(context, toBody(found));
  return { found, judged };
}
