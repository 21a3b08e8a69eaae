import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { Group } from '../directory/group.entity';
import { Permission } from '../directory/permission.entity';
import { permissionIdsOf } from '../directory/permission-holders';
import { User } from '../directory/user.entity';
import { Workspace } from '../directory/workspace.entity';

export type AnyRecord = User | Workspace | Group | Permission;

/** A record with the ids of its direct permissions, in order; a permission has none. */
export interface FoundRecord<Entity> {
  record: Entity;
  permissions: string[];
}

/**
 * The strength of a lock: against other changes of the record, while users can join it and permissions can be granted;
 * or exclusive, for a change that affects its members or holders.
 */
export type RecordLock = 'for_no_key_update' | 'pessimistic_write';

type Kind = 'user' | 'workspace' | 'group' | 'permission';

const KINDS = new Map<unknown, Kind>([
  [User, 'user'],
  [Workspace, 'workspace'],
  [Group, 'group'],
  [Permission, 'permission'],
]);

/** A query for all records of a kind, with the alias `record`; groups come with their workspaces. */
export function recordsOf<Entity extends AnyRecord>(
  manager: EntityManager,
  entity: new () => Entity,
): SelectQueryBuilder<Entity> {
  const query = manager.getRepository(entity).createQueryBuilder('record');
  return kindOf(entity) === 'group' ? query.innerJoinAndSelect('record.workspace', 'workspace') : query;
}

/**
 * Finds one record by its id, with its permissions; a group with its workspace.
 *
 * @throws ServiceError `user.unknown` or the like
 */
export async function findRecord<Entity extends AnyRecord>(
  manager: EntityManager,
  entity: new () => Entity,
  id: string,
): Promise<FoundRecord<Entity>> {
  return requireRecord(entity, await lookUp(manager, entity, id));
}

/**
 * As {@link findRecord}, under lock; undefined if it does not exist, because callers are judged before they learn that.
 */
export async function lockRecord<Entity extends AnyRecord>(
  manager: EntityManager,
  entity: new () => Entity,
  id: string,
  lock: RecordLock,
): Promise<FoundRecord<Entity> | undefined> {
  if (!isIdentifier(id)) return undefined;
  const query = manager.getRepository<AnyRecord>(entity).createQueryBuilder('record').select('record.key');
  const locked = await query.where('record.id = :id', { id }).setLock(lock).getRawOne<object>();
  // A second statement, because one that has waited for a lock still sees the permissions of the time before.
  return locked && lookUp(manager, entity, id);
}

/** @throws ServiceError `user.unknown` or the like, if nothing was found */
export function requireRecord<Entity extends AnyRecord>(
  entity: new () => Entity,
  found: FoundRecord<Entity> | undefined,
): FoundRecord<Entity> {
  if (!found) throw new ServiceError(`${kindOf(entity)}.unknown`);
  return found;
}

/** One statement, so that the record and its permissions come from the same moment. */
async function lookUp<Entity extends AnyRecord>(
  manager: EntityManager,
  entity: new () => Entity,
  id: string,
): Promise<FoundRecord<Entity> | undefined> {
  if (!isIdentifier(id)) return undefined;
  const kind = kindOf(entity);
  const query = recordsOf(manager, entity).where('record.id = :id', { id });
  if (kind !== 'permission') query.addSelect(`ARRAY(${permissionIdsOf(kind, 'record.key')})`, 'permissions');
  const { entities, raw } = await query.getRawAndEntities<{ permissions?: string[] }>();
  const [record] = entities;
  return record && { record, permissions: raw[0]?.permissions ?? [] };
}

function kindOf(entity: new () => AnyRecord): Kind {
  return KINDS.get(entity) as Kind;
}
