/** The words of the directory that cross the wire. */

/**
 * User types, lowest first. The order matters: a user's type is the highest that any of the user's permissions grants.
 */
export const USER_TYPES = ['guest', 'member', 'manager', 'administrator'] as const;
export type UserType = (typeof USER_TYPES)[number];

export const USER_STATUSES = ['active', 'inactive'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** How many records of each kind. */
export type RecordCounts = Record<'users' | 'workspaces' | 'groups' | 'permissions', number>;

/**
 * One line of a file of the directory: exactly one of these keys. When a file is read, a missing field or list stays
 * as it is, null clears a text, and a list replaces the existing one. Lists contain ids. A new user without a status is
 * active.
 *
 * @example { user: { id: 'ben', email: 'ben@example.com', workspaces: ['atlas'], groups: ['atlas-editors'] } }
 */
export type DirectoryRecord =
  { permission: PermissionRecord } | { workspace: WorkspaceRecord } | { group: GroupRecord } | { user: UserRecord };

export interface PermissionRecord {
  id: string;
  description?: string | null;
  /** The user type that this permission grants. */
  grants: UserType;
}

export interface WorkspaceRecord {
  id: string;
  name: string;
  /** The permissions that all members hold. */
  permissions?: string[];
}

export interface GroupRecord {
  id: string;
  name: string;
  /** The id of the workspace of this group. */
  workspace: string;
  /** The permissions that all members hold. */
  permissions?: string[];
}

/** An id leaves the end of a membership as it is. `until` sets it exactly: null takes it away. */
export type MembershipRecord = string | { id: string; until: string | null };

export interface UserRecord {
  id: string;
  email?: string | null;
  displayName?: string | null;
  status?: UserStatus;
  /** When the user is deactivated: ISO 8601 with an offset. */
  activeUntil?: string | null;
  /** The permissions that the user holds directly. */
  permissions?: string[];
  workspaces?: MembershipRecord[];
  /** Groups of these workspaces. */
  groups?: MembershipRecord[];
}
