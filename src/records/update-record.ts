import type { EntityManager, QueryDeepPartialEntity } from 'typeorm';
import type { AnyRecord } from './find-record';

/**
 * Writes fields of a locked record. `now()` is when the transaction began, which can be before the last change if it
 * has waited for the lock, and `updatedAt` never goes backwards.
 *
 * @returns the record as it is now
 */
export async function updateRecord<Entity extends AnyRecord, Row extends Pick<AnyRecord, 'key'>>(
  manager: EntityManager,
  entity: new () => Entity,
  record: Row,
  fields: Partial<NoInfer<Entity>>,
): Promise<Row & Pick<Entity, 'updatedAt'>> {
  const { raw } = await manager
    .createQueryBuilder()
    .update<AnyRecord>(entity)
    .set({ ...fields, updatedAt: () => 'GREATEST(now(), updated_at)' } as QueryDeepPartialEntity<Entity>)
    .where({ key: record.key })
    .returning('updated_at AS "updatedAt"')
    .execute();
  const [{ updatedAt }] = raw as [Pick<Entity, 'updatedAt'>];
  return { ...record, ...fields, updatedAt };
}
