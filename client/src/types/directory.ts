/** Lowest first. */
export type UserType = 'guest' | 'member' | 'manager' | 'administrator';
export type UserStatus = 'active' | 'inactive';

interface Dated {
  id: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

export interface User extends Dated {
  email: string | null;
  displayName: string | null;
  /** The highest that a permission of the user grants. */
  type: UserType;
  status: UserStatus;
}

export interface Workspace extends Dated {
  name: string;
}

export interface Group extends Dated {
  name: string;
  /** The id of the one workspace that it lives in. */
  workspace: string;
}

export interface Permission extends Dated {
  description: string | null;
  /** The user type that holding it earns. */
  grants: UserType;
}

/** A record that is permitted something, as it is told alone: with the ids of the permissions given to it directly. */
export type Permitted<Holder> = Holder & { permissions: string[] };

/** A record as it was read, with what `ifMatch` and `ifNoneMatch` take. */
export type Stored<Item> = Item & { etag: string };

export interface NewUser {
  /** Made by the service if left out. */
  id?: string;
  email?: string | null;
  displayName?: string | null;
  status?: UserStatus;
  permissions?: string[];
  workspaces?: string[];
  groups?: string[];
}

export interface NewWorkspace {
  id?: string;
  name: string;
  permissions?: string[];
}

export interface NewGroup extends NewWorkspace {
  workspace: string;
}

export interface NewPermission {
  id?: string;
  description?: string | null;
  grants: UserType;
}

/** JSON Merge Patch: what is left out stays, `null` empties, `permissions` is the whole list. */
export interface UserPatch {
  email?: string | null;
  displayName?: string | null;
  permissions?: string[];
}

export interface PlacePatch {
  name?: string;
  permissions?: string[];
}

export interface PermissionPatch {
  description?: string | null;
  grants?: UserType;
}

/** Everything given must hold. */
export interface PlaceFilter {
  /** Up to 100. */
  id?: string | readonly string[];
  /** 3 to 100 characters, anywhere in what a person would look for, whatever the case. */
  search?: string;
  sort?: 'id' | '-createdAt';
  /** How many make a page: 1 to 200. */
  limit?: number;
  /** Where to begin. */
  cursor?: string;
}

export interface UserFilter extends PlaceFilter {
  status?: UserStatus;
  type?: UserType;
  workspace?: string;
  group?: string;
  /** Held in any way. */
  permission?: string;
}

export interface GroupFilter extends PlaceFilter {
  workspace?: string;
}

export interface PermissionFilter extends PlaceFilter {
  grants?: UserType;
}

/** The places of one workspace that a user is in. */
export interface Membership {
  workspace: { id: string; name: string };
  groups: { id: string; name: string }[];
}

/** One way in which a user holds a permission, and how it came to be, as far as the journal knows. */
export type PermissionSource = (
  { kind: 'user' } | { kind: 'workspace'; id: string } | { kind: 'group'; id: string; workspace: string }
) & {
  since: string | null;
  actor: { kind: string; id: string } | null;
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

/** Who calls. */
export type Me =
  | { kind: 'user'; id: string; administrator: boolean; user: User }
  | { kind: 'service'; id: string; administrator: boolean };
