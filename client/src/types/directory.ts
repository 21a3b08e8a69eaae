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
  HeldPermissionDto,
  ListGroupsData,
  ListPermissionsData,
  ListUsersData,
  ListWorkspacesData,
  MembershipDto,
  PermissionDto,
  TotalDto,
  UserDto,
  UserRecordDto,
  WorkspaceDto,
  WorkspaceRecordDto,
} from '../generated/types.gen.ts';

export type User = UserDto;
export type Workspace = WorkspaceDto;
export type Group = GroupDto;
export type Permission = PermissionDto;
export type UserType = User['type'];
export type UserStatus = User['status'];

/** A single record, with the ids of the permissions that are assigned to it directly. */
export type UserRecord = UserRecordDto;
export type WorkspaceRecord = WorkspaceRecordDto;
export type GroupRecord = GroupRecordDto;

/** A workspace of a user, with the user's groups in it. */
export type Membership = MembershipDto;

/** The caller. */
export type Me = CallerDto;

/** The filters and the page size of a list. A record must match all filters. */
export type UserFilter = NonNullable<ListUsersData['query']>;
export type WorkspaceFilter = NonNullable<ListWorkspacesData['query']>;
export type GroupFilter = NonNullable<ListGroupsData['query']>;
export type PermissionFilter = NonNullable<ListPermissionsData['query']>;

/** How many records match: `count`, and more of them unless it is `exact`. */
export type Total = TotalDto;

/** A record with its version, for `ifMatch` and `ifNoneMatch`. */
export type Stored<Item> = Item & { etag: string };

/** A record to create. The service generates the `id` (a UUIDv7) if there is none. */
export type NewUser = CreateUserDto;
export type NewWorkspace = CreateWorkspaceDto;
export type NewGroup = CreateGroupDto;
export type NewPermission = CreatePermissionDto;

/** JSON Merge Patch (RFC 7396): absent fields stay, `null` clears a field, and `permissions` replaces the whole list. */
export type UserPatch = ChangeUserDto;
export type WorkspacePatch = ChangeWorkspaceDto;
export type GroupPatch = ChangeGroupDto;
export type PermissionPatch = ChangePermissionDto;

/** A source of a permission: the user directly, or a workspace or group of the user. */
export type PermissionSource = HeldPermissionDto['sources'][number] &
  ({ kind: 'user' } | { kind: 'workspace'; id: string } | { kind: 'group'; id: string; workspace: string });

/** A permission that a user holds, with at most 20 of its sources; `more` is the number of the others. */
export type EffectivePermission = Omit<HeldPermissionDto, 'sources'> & { sources: PermissionSource[] };
