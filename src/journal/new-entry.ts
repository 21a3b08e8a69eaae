import type { JournalAction, JournalFacts } from '../contract/journal';
import type { PluginEntry } from '../contract/plugin-actions';

/** One change to one subject. Unchanged values are left out. */
export type NewEntry = { [Action in JournalAction]: EntryOf<Action> }[JournalAction] | PluginEntry;

interface EntryOf<Action extends JournalAction> {
  action: Action;
  /** The user who was changed. */
  user?: string;
  /** The workspaces concerned, for readers that filter by workspace. */
  workspaces?: readonly string[];
  before?: JournalFacts[Action];
  after?: JournalFacts[Action];
}
