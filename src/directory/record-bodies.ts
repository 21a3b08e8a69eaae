import type { GroupBody, PermissionBody, UserBody, WorkspaceBody } from '../contract/records';
import type { Group } from './group.entity';
import type { Permission } from './permission.entity';
import type { User } from './user.entity';
import type { Workspace } from './workspace.entity';

/** Records as the API shows them, with their fields in the order of the contract. */

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

function toMoments({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
