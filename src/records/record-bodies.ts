import type { FoundRecord } from './find-record';
import type { Group } from '../directory/group.entity';
import type { Permission } from '../directory/permission.entity';
import type { User } from '../directory/user.entity';
import type { Workspace } from '../directory/workspace.entity';

/**
 * Records as the API shows them, with their fields in the order of `openapi.json`; single records with their direct
 * permissions.
 */

export function toUserBody({ id, email, displayName, type, ...record }: User) {
  return { id, email, displayName, type, ...statusOf(record), ...timestampsOf(record) };
}

export function toWorkspaceBody({ id, name, ...record }: Workspace) {
  return { id, name, ...timestampsOf(record) };
}

/** The workspace must be loaded with the group. */
export function toGroupBody({ id, name, workspace, ...record }: Group) {
  return { id, name, workspace: workspace?.id ?? '', ...timestampsOf(record) };
}

export function toPermissionBody({ id, description, grants, ...record }: Permission) {
  return { id, description, grants, ...timestampsOf(record) };
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

/** What has passed is read as ended, before it is carried out. */
function statusOf({ status, activeUntil, hasEnded }: Pick<User, 'status' | 'activeUntil' | 'hasEnded'>) {
  return hasEnded
    ? { status: 'inactive' as const, activeUntil: null }
    : { status, activeUntil: activeUntil?.toISOString() ?? null };
}

function timestampsOf({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
