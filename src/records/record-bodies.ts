import { fieldValues } from './field-values';
import type { FoundRecord } from './find-record';
import type { Group } from '../directory/group.entity';
import type { Permission } from '../directory/permission.entity';
import type { User } from '../directory/user.entity';
import type { Workspace } from '../directory/workspace.entity';

/**
 * Records as the API shows them, with their fields in the order of `openapi.json`; single records with their direct
 * permissions.
 */

/** What has passed is read as ended, before it is carried out. */
export function toUserBody({ id, ...user }: User) {
  const ended = user.hasEnded && ({ status: 'inactive', activeUntil: null } as const);
  return { id, ...fieldValues('user', user), ...ended, ...timestampsOf(user) };
}

export function toWorkspaceBody({ id, ...record }: Workspace) {
  return { id, ...fieldValues('workspace', record), ...timestampsOf(record) };
}

/** The workspace must be loaded with the group. */
export function toGroupBody({ id, workspace, ...record }: Group) {
  return { id, ...fieldValues('group', record), workspace: workspace?.id ?? '', ...timestampsOf(record) };
}

export function toPermissionBody({ id, ...record }: Permission) {
  return { id, ...fieldValues('permission', record), ...timestampsOf(record) };
}

export function toUserRecord({ record, permissions }: FoundRecord<User>) {
  return { ...toUserBody(record), permissions };
}

export function toWorkspaceRecord({ record, permissions }: FoundRecord<Workspace>) {
  return { ...toWorkspaceBody(record), permissions };
}

export function toGroupRecord({ record, permissions }: FoundRecord<Group>) {
  return { ...toGroupBody(record), permissions };
}

export function toPermissionRecord({ record }: FoundRecord<Permission>) {
  return toPermissionBody(record);
}

function timestampsOf({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
