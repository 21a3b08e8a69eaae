import type { JournalAction, JournalFacts } from '../contract/journal';

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
