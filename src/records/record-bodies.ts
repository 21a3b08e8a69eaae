import type { FoundRecord } from './find-record';
import type { Group } from '../directory/group.entity';
import type { Permission } from '../directory/permission.entity';
import type { User } from '../directory/user.entity';
import type { Workspace } from '../directory/workspace.entity';

/** Records as the API shows them, with their fields in the order of the contract; single records with their direct permissions. */

export function toUserBody({ id, email, displayName, type, status, ...moments }: User) {
  return { id, email, displayName, type, status, ...toMoments(moments) };
}

export function toWorkspaceBody({ id, name, ...moments }: Workspace) {
  return { id, name, ...toMoments(moments) };
}

/** The workspace must be loaded with the group. */
export function toGroupBody({ id, name, workspace, ...moments }: Group) {
  return { id, name, workspace: workspace?.id ?? '', ...toMoments(moments) };
}

export function toPermissionBody({ id, description, grants, ...moments }: Permission) {
  return { id, description, grants, ...toMoments(moments) };
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

function toMoments({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
