import type { EntityManager } from 'typeorm';
import { type Attribution, isIdentifier, judgeCaller, type Judged, ServiceError } from '../door';
import { type Preconditions, requirePreconditions } from '../../answers/etag';
import type { LockedRecords } from '../../directory/locked-records';
import type { RecordLock } from '../../records/find-record';
import { refuseUnknown } from '../../records/refuse-unknown';
import { connectionsIn, findConnections, type FoundConnection, toConnection } from './connections-reader';
import { ScimConnection } from './scim-connection.entity';
import { CONNECTION_ERRORS } from './errors';

/**
 * Locks a connection until the transaction ends, and then refuses the request in the order of `lockForChange`.
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
  if (!found) throw CONNECTION_ERRORS.refusal('scim_connection.unknown');
  requirePreconditions(context, toConnection(found));
  return { found, judged };
}

/** @throws ServiceError `field.invalid` for a workspace that the body of a connection names and that is unknown */
export function refuseUnknownWorkspaces(
  { workspace, workspaces }: { workspace?: string; workspaces?: readonly string[] | null },
  known: LockedRecords,
): void {
  if (workspace !== undefined && !known.has(workspace)) {
    const errors = [{ pointer: '/workspace', id: workspace }];
    throw new ServiceError('field.invalid', { args: { field: 'workspace' }, errors });
  }
  refuseUnknown('workspaces', workspaces ?? [], known, 'field.invalid');
}
