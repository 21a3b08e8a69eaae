import type { Service } from '../calls/service.ts';
import type {
  Group,
  GroupFilter,
  GroupRecord,
  NewGroup,
  NewPermission,
  NewWorkspace,
  Permission,
  PermissionFilter,
  PermissionPatch,
  WorkspaceFilter,
  PlacePatch,
  Workspace,
  WorkspaceRecord,
} from '../types/directory.ts';
import { Records } from './records.ts';

export type Workspaces = Records<{
  listed: Workspace;
  record: WorkspaceRecord;
  created: NewWorkspace;
  patch: PlacePatch;
  filter: WorkspaceFilter;
}>;

export type Groups = Records<{
  listed: Group;
  record: GroupRecord;
  created: NewGroup;
  patch: PlacePatch;
  filter: GroupFilter;
}>;

export type Permissions = Records<{
  listed: Permission;
  record: Permission;
  created: NewPermission;
  patch: PermissionPatch;
  filter: PermissionFilter;
}>;

export const workspacesOf = (service: Service): Workspaces => new Records(service, 'workspaces');
export const groupsOf = (service: Service): Groups => new Records(service, 'groups');
export const permissionsOf = (service: Service): Permissions => new Records(service, 'permissions');
