import type { EntityManager } from 'typeorm';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { Group } from './group.entity';
import { Permission } from './permission.entity';
import { User } from './user.entity';
import { Workspace } from './workspace.entity';

type Holder = User | Workspace | Group;

/** A record with the ids of the permissions that it was given directly, in order. */
export interface FoundRecord<Record> {
  record: Record;
  permissions: string[];
}

const KINDS = new Map<unknown, 'user' | 'workspace' | 'group' | 'permission'>([
  [User, 'user'],
  [Workspace, 'workspace'],
  [Group, 'group'],
  [Permission, 'permission'],
]);

/**
 * One record by its id, a group with its workspace, and the permissions that it was given.
 *
 * @throws ServiceError `user.unknown` or the like
 */
export async function findRecord<Record extends Holder>(
  manager: EntityManager,
  entity: new () => Record,
  id: string,
): Promise<FoundRecord<Record>> {
  const kind = KINDS.get(entity) ?? 'user';
  const query = manager.getRepository<Holder>(entity).createQueryBuilder('record').where('record.id = :id', { id });
  if (kind === 'group') query.innerJoinAndSelect('record.workspace', 'workspace');
  const record = isIdentifier(id) ? await query.getOne() : null;
  if (!record) throw new ServiceError(`${kind}.unknown`);
  const rows: { id: string }[] = await manager.query(
    `SELECT id FROM ${kind}_permissions JOIN permissions ON permissions.key = permission_key
     WHERE ${kind}_key = $1 ORDER BY id`,
    [record.key],
  );
  return { record: record as Record, permissions: rows.map((row) => row.id) };
}

/** @throws ServiceError `permission.unknown` */
export async function findPermission(manager: EntityManager, id: string): Promise<Permission> {
  const permission = isIdentifier(id) ? await manager.findOneBy(Permission, { id }) : null;
  if (!permission) throw new ServiceError('permission.unknown');
  return permission;
}
