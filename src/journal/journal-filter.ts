import type { JournalFacts } from '../contract/journal';
import type { ChangeRow } from './change-row';

/** The filters of a reader. All of them must match. */
export interface JournalFilter {
  /** Also under the earlier ids of the user: see `sql/journal_ids_of.sql`. */
  user?: string;
  workspace?: string;
  actor?: string;
  /** One of these. */
  action?: readonly string[];
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

/**
 * Whether a change can have an entry that matches. A user who gets another id brings along what is under the earlier
 * ones.
 */
export function concerns(
  change: ChangeRow & { user_ids: (string | null)[] },
  { user, workspace, actor, action, from, to }: JournalFilter,
): boolean {
  return (
    (user === undefined || change.user_ids.includes(user) || isRenamedTo(change, user)) &&
    (workspace === undefined || change.workspace_ids.includes(workspace)) &&
    (actor === undefined || change.actor_id === actor) &&
    (action === undefined || action.includes(change.action)) &&
    (from === undefined || change.at >= from) &&
    (to === undefined || change.at < to)
  );
}

/** Whether a change gives a user this id. */
export function isRenamedTo({ action, after }: ChangeRow, id: string | undefined): boolean {
  return action === 'user.renamed' && (after as JournalFacts['user.renamed']).id === id;
}
