import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import { type Judged, writeAndJudge } from '../auth/judge-caller';
import type { AnyRecord } from './find-record';

/**
 * Inserts a record.
 *
 * @returns the key of the record. No other transaction sees the record before this one ends, so it needs no lock.
 * @throws the error of the database, which `Transactions` turns into `record.id_taken`, `user.email_taken` or the
 * refusal of the caller
 */
export async function insertRecord<Entity extends AnyRecord>(
  manager: EntityManager,
  entity: new () => Entity,
  fields: QueryDeepPartialEntity<Entity>,
  judged: Judged,
): Promise<string> {
  const { identifiers } = await writeAndJudge(manager, judged, (within) => within.insert(entity, fields));
  return (identifiers as [Pick<Entity, 'key'>])[0].key;
}
