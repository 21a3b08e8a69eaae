import type { UserType } from './directory';
import type { Actor } from './journal';

/** Where a permission that a user holds comes from. */
export type SourcePlace =
  { kind: 'user' } | { kind: 'workspace'; id: string } | { kind: 'group'; id: string; workspace: string };

/** One way in which a user holds a permission, and how that came to be; null where the journal does not know. */
export type PermissionSource = SourcePlace & {
  /** ISO 8601, UTC. */
  since: string | null;
  actor: Actor | null;
  reason: string | null;
};

/** A permission that a user effectively holds. */
export interface HeldPermission {
  id: string;
  grants: UserType;
  /** Whether it grants the type that the user has. */
  earnsType: boolean;
  sources: PermissionSource[];
}

/** The body of `GET /api/users/{id}/permissions`. */
export interface HeldPermissions {
  type: UserType;
  permissions: HeldPermission[];
}
