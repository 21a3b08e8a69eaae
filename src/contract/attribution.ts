import type { Actor } from './journal';

/** What a set of changes has in common: who made them, who granted the permission, and why. */
export interface Attribution {
  actor: Actor;
  /** Whose token granted the permission, such as the subject of manage-status' body token. */
  grantedBy?: string;
  reason?: string;
  requestId?: string;
}
