import type { UserType } from './directory';
import type { Actor } from './journal';

/** The source of a user's permission. */
export type SourcePlace =
  { kind: 'user' } | { kind: 'workspace'; id: string } | { kind: 'group'; id: string; workspace: string };

/** One source of a user's permission, with its origin; null if the journal does not have it. */
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
  /** Whether it grants the user's current type. */
  earnsType: boolean;
  sources: PermissionSource[];
}

/** The body of `GET /api/users/{id}/permissions`. */
export interface HeldPermissions {
  type: UserType;
  permissions: HeldPermission[];
}
