import type { GroupBody, PermissionBody, UserBody, WithPermissions, WorkspaceBody } from '../contract/records';
import type { FoundRecord } from './find-record';
import type { Group } from './group.entity';
import type { Permission } from './permission.entity';
import type { User } from './user.entity';
import type { Workspace } from './workspace.entity';

/** Records as the API shows them, with their fields in the order of the contract; single records with their direct permissions. */

export function toUserBody({ id, email, displayName, type, status, ...moments }: User): UserBody {
  return { id, email, displayName, type, status, ...toMoments(moments) };
}

export function toWorkspaceBody({ id, name, ...moments }: Workspace): WorkspaceBody {
  return { id, name, ...toMoments(moments) };
}

/** The workspace must be loaded with the group. */
export function toGroupBody({ id, name, workspace, ...moments }: Group): GroupBody {
  return { id, name, workspace: workspace?.id ?? '', ...toMoments(moments) };
}

export function toPermissionBody({ id, description, grants, ...moments }: Permission): PermissionBody {
  return { id, description, grants, ...toMoments(moments) };
}

export function toUserRecord({ record, permissions }: FoundRecord<User>): WithPermissions<UserBody> {
  return { ...toUserBody(record), permissions };
}

export function toWorkspaceRecord({ record, permissions }: FoundRecord<Workspace>): WithPermissions<WorkspaceBody> {
  return { ...toWorkspaceBody(record), permissions };
}

export function toGroupRecord({ record, permissions }: FoundRecord<Group>): WithPermissions<GroupBody> {
  return { ...toGroupBody(record), permissions };
}

export function toPermissionRecord({ record }: FoundRecord<Permission>): PermissionBody {
  return toPermissionBody(record);
}

function toMoments({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
