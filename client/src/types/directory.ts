import type {
  CallerDto,
  ChangeGroupDto,
  ChangePermissionDto,
  ChangeUserDto,
  ChangeWorkspaceDto,
  CreateGroupDto,
  CreatePermissionDto,
  CreateUserDto,
  CreateWorkspaceDto,
  GroupDto,
  GroupRecordDto,
  ListGroupsData,
  ListPermissionsData,
  ListUsersData,
  ListWorkspacesData,
  MembershipDto,
  PermissionDto,
  UserDto,
  UserRecordDto,
  WorkspaceDto,
  WorkspaceRecordDto,
} from '../generated/types.gen.ts';

export type User = UserDto;
export type Workspace = WorkspaceDto;
export type Group = GroupDto;
export type Permission = PermissionDto;
/** Lowest first. */
export type UserType = User['type'];
export type UserStatus = User['status'];

/** A record as it is told alone, with the permissions given to it directly. */
export type UserRecord = UserRecordDto;
export type WorkspaceRecord = WorkspaceRecordDto;
export type GroupRecord = GroupRecordDto;

/** The places of one workspace that a user is in. */
export type Membership = MembershipDto;

/** Who calls. */
export type Me = CallerDto;

/** Everything given must hold. */
export type UserFilter = NonNullable<ListUsersData['query']>;
export type WorkspaceFilter = NonNullable<ListWorkspacesData['query']>;
export type GroupFilter = NonNullable<ListGroupsData['query']>;
export type PermissionFilter = NonNullable<ListPermissionsData['query']>;

/** A record as it was read, with what `ifMatch` and `ifNoneMatch` take. */
export type Stored<Item> = Item & { etag: string };

/** Without an id, the service makes one. */
export type NewUser = CreateUserDto;
export type NewWorkspace = CreateWorkspaceDto;
export type NewGroup = CreateGroupDto;
export type NewPermission = CreatePermissionDto;

/** JSON Merge Patch: what is left out stays, `null` empties, `permissions` is the whole list. */
export type UserPatch = ChangeUserDto;
export type WorkspacePatch = ChangeWorkspaceDto;
export type GroupPatch = ChangeGroupDto;
export type PermissionPatch = ChangePermissionDto;

/** One way in which a user holds a permission, and how it came to be, as far as the journal knows. */
export type PermissionSource = (
  { kind: 'user' } | { kind: 'workspace'; id: string } | { kind: 'group'; id: string; workspace: string }
) & {
  since: string | null;
  actor: { kind: 'user' | 'service' | 'system'; id: string } | null;
  reason: string | null;
};

/** Every permission that a user effectively holds, by id, and the type that follows from them. */
export interface EffectivePermissions {
  type: UserType;
  permissions: {
    id: string;
    grants: UserType;
    /** Whether it grants the type that the user has. */
    earnsType: boolean;
    sources: PermissionSource[];
  }[];
}
