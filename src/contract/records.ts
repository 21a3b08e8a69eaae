import type { UserStatus, UserType } from './directory';

/** Records as the API shows them. Missing text is null; times are ISO 8601 in UTC with milliseconds. */

export interface UserBody {
  id: string;
  email: string | null;
  displayName: string | null;
  type: UserType;
  status: UserStatus;
  createdAt: string;
  updatedAt: string;
}

export interface WorkspaceBody {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

export interface GroupBody {
  id: string;
  name: string;
  /** The id of the workspace of the group. */
  workspace: string;
  createdAt: string;
  updatedAt: string;
}

export interface PermissionBody {
  id: string;
  description: string | null;
  /** The user type that the permission grants. */
  grants: UserType;
  createdAt: string;
  updatedAt: string;
}

/** A single record also lists the ids of its direct permissions, in order. */
export type WithPermissions<Body> = Body & { permissions: string[] };

/** A reference to a record. */
export interface NamedRecord {
  id: string;
  name: string;
}

/** A workspace of a user, with the user's groups in it. */
export interface Membership {
  workspace: NamedRecord;
  groups: NamedRecord[];
}
