import type { EntityManager } from 'typeorm';
import { type Preconditions, requirePreconditions } from '../answers/etag';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import type { Attribution } from '../contract/attribution';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { RecordLock } from '../records/find-record';
import { connectionsIn, findConnections, type FoundConnection, toConnection } from './connection-body';
import { ScimConnection } from './scim-connection.entity';

/**
 * Locks a connection until the transaction ends, and then refuses the request in the same order, as `lockForChange`
 * does.
 *
 * @throws what `judgeCaller` throws, ServiceError `scim_connection.unknown`, `record.changed`
 */
export async function lockConnection(
  manager: EntityManager,
  id: string,
  context: Attribution & Preconditions,
  lock: RecordLock = 'for_no_key_update',
): Promise<{ found: FoundConnection; judged: Judged }> {
  const query = manager.createQueryBuilder(ScimConnection, 'connection').select('connection.key');
  const locked = isIdentifier(id) ? await query.where({ id }).setLock(lock).getRawOne<object>() : undefined;
  // A second statement, as in `lockRecord`.
  const [found] = locked ? await findConnections(connectionsIn(manager).where('connection.id = :id', { id })) : [];
  const judged = await judgeCaller(manager, context);
  if (!found) throw new ServiceError('scim_connection.unknown');
  requirePreconditions(context, toConnection(found));
  return { found, judged };
}
