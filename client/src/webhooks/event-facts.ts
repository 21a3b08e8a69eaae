import type { UserStatus, UserType } from '../types/directory.ts';

/** What each event tells: the same facts before and after, as far as there were any. */
export interface EventFacts {
  /** The places that the user was put into. Nothing before. */
  'user.workspaces.assigned': { workspaces: string[]; groups: string[] };
  /** The places that the user was taken out of. Nothing after. */
  'user.workspaces.unassigned': { workspaces: string[]; groups: string[] };
  'user.type.changed': { type: UserType };
  'user.status.changed': { status: UserStatus };
  /** What the token lets its holder do. Nothing before. */
  'user.status_token.minted': { status: UserStatus; expiresAt: string };
  /** The permissions given directly. */
  'user.permissions.changed': { permissions: string[] };
  'workspace.permissions.changed': { permissions: string[] };
  'group.permissions.changed': { group: string; permissions: string[] };
  /** All fields, after. */
  'user.created': UserFacts;
  /** The fields that were changed. */
  'user.updated': Partial<UserFacts>;
  /** All fields, before. */
  'user.deleted': UserFacts;
  'workspace.created': { name: string };
  'workspace.updated': { name: string };
  'workspace.deleted': { name: string; permissions: string[] };
  'group.created': { group: string; name: string };
  'group.updated': { group: string; name: string };
  'group.deleted': { group: string; name: string; permissions: string[] };
  'permission.created': PermissionFacts;
  /** The fields that were changed, and of which permission. */
  'permission.updated': { permission: string } & Partial<PermissionFacts>;
  'permission.deleted': PermissionFacts;
}

interface UserFacts {
  email: string | null;
  displayName: string | null;
  status: UserStatus;
  permissions: string[];
  workspaces: string[];
  groups: string[];
}

interface PermissionFacts {
  permission: string;
  description: string | null;
  grants: UserType;
}
