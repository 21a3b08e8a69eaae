import { namesOf } from '../calls/known-names.ts';
import type {
  Group,
  GroupFilter,
  GroupPatch,
  GroupRecord,
  NewGroup,
  NewPermission,
  NewWorkspace,
  Permission,
  PermissionFilter,
  PermissionPatch,
  WorkspaceFilter,
  Workspace,
  WorkspacePatch,
  WorkspaceRecord,
} from '../types/directory.ts';
import type { Records } from './records.ts';

export type Workspaces = Records<{
  listed: Workspace;
  record: WorkspaceRecord;
  created: NewWorkspace;
  patch: WorkspacePatch;
  filter: WorkspaceFilter;
}>;

export type Groups = Records<{
  listed: Group;
  record: GroupRecord;
  created: NewGroup;
  patch: GroupPatch;
  filter: GroupFilter;
}>;

export type Permissions = Records<{
  listed: Permission;
  record: Permission;
  created: NewPermission;
  patch: PermissionPatch;
  filter: PermissionFilter;
}>;

export const WORKSPACE_FILTERS = namesOf<WorkspaceFilter>({
  id: true,
  search: true,
  sort: true,
  total: true,
  limit: true,
  cursor: true,
});
export const GROUP_FILTERS = namesOf<GroupFilter>({
  id: true,
  search: true,
  sort: true,
  total: true,
  limit: true,
  cursor: true,
  workspace: true,
});
export const PERMISSION_FILTERS = namesOf<PermissionFilter>({
  id: true,
  search: true,
  sort: true,
  total: true,
  limit: true,
  cursor: true,
  grants: true,
});
