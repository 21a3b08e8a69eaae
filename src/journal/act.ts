import type { Actor, JournalAction, JournalFacts } from '../contract/journal';

/** What a set of changes has in common: who made them, by whose leave, and why. */
export interface Act {
  actor: Actor;
  /** Whose token granted the permission, such as the subject of manage-status' body token. */
  grantedBy?: string;
  reason?: string;
  requestId?: string;
}

/** One change to one subject. What did not change is no entry. */
export type NewEntry = { [Action in JournalAction]: EntryOf<Action> }[JournalAction];

interface EntryOf<Action extends JournalAction> {
  action: Action;
  /** Whom it was done to. */
  user?: string;
  /** The workspaces that it concerns, for whoever asks by workspace. */
  workspaces?: readonly string[];
  before?: JournalFacts[Action];
  after?: JournalFacts[Action];
}
