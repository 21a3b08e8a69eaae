import { Group } from './group.entity';
import { GroupMembership } from './group-membership.entity';
import { GroupPermission } from './group-permission.entity';
import { Permission } from './permission.entity';
import { User } from './user.entity';
import { UserPermission } from './user-permission.entity';
import { Workspace } from './workspace.entity';
import { WorkspaceMembership } from './workspace-membership.entity';
import { WorkspacePermission } from './workspace-permission.entity';

/** Every table of the directory that has an entity. A test finds no drift between these and the migrations. */
export const DIRECTORY_ENTITIES = [
  Group,
  GroupMembership,
  GroupPermission,
  Permission,
  User,
  UserPermission,
  Workspace,
  WorkspaceMembership,
  WorkspacePermission,
];
