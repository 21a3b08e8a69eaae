import type { UserStatus, UserType } from './directory';

/** Records as they cross the wire. Absent text is null; moments are ISO 8601 in UTC with milliseconds. */

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
  /** The id of the one workspace that the group lives in. */
  workspace: string;
  createdAt: string;
  updatedAt: string;
}

export interface PermissionBody {
  id: string;
  description: string | null;
  /** The user type that holding the permission earns. */
  grants: UserType;
  createdAt: string;
  updatedAt: string;
}

/** A single record also lists the ids of the permissions that it was given directly, in order. */
export type WithPermissions<Body> = Body & { permissions: string[] };

/** What a record is called where it is only mentioned. */
export interface NamedRecord {
  id: string;
  name: string;
}

/** A workspace that a user is in, with the groups in it that the user is in. */
export interface Membership {
  workspace: NamedRecord;
  groups: NamedRecord[];
}

/** Who sent the request, as `GET /api/me` tells. */
export type CallerBody =
  | { kind: 'user'; id: string; administrator: boolean; user: UserBody }
  | { kind: 'service'; id: string; administrator: boolean };
