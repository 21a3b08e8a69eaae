import type { Actor } from './journal';

/** The common attributes of a set of changes: the actor, who granted the permission, and the reason. */
export interface Attribution {
  actor: Actor;
  /** The subject of the token that granted the permission, such as manage-status' body token. */
  grantedBy?: string;
  /** The given reason, for the journal. */
  reason?: string;
  /** The id of the request in the log and in the journal. */
  requestId?: string;
  /** The trace that the request belongs to: a valid header `traceparent`, which the entries keep. */
  traceparent?: string;
}
