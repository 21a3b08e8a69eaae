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
  /** The fields that an import wrote. Nothing before: it is new. */
  'permission.imported': { permission: string; description?: string | null; grants?: UserType };
  'workspace.imported': { name: string };
  'group.imported': { group: string; name: string };
  'user.imported': {
    email?: string | null;
    displayName?: string | null;
    status?: UserStatus;
    permissions?: string[];
    workspaces?: string[];
    groups?: string[];
  };
}
