import type { JournalAction } from '../contract/journal';
import type { ChangeRow } from './change-row';

/** The filters of a reader. All of them must match. */
export interface JournalFilter {
  user?: string;
  workspace?: string;
  actor?: string;
  /** One of these. */
  action?: readonly JournalAction[];
  from?: Date;
  /** Exclusive. */
  to?: Date;
}

/** Whether a change has an entry that matches. */
export function concerns(
  change: ChangeRow & { user_ids: (string | null)[] },
  { user, workspace, actor, action, from, to }: JournalFilter,
): boolean {
  return (
    (user === undefined || change.user_ids.includes(user)) &&
    (workspace === undefined || change.workspace_ids.includes(workspace)) &&
    (actor === undefined || change.actor_id === actor) &&
    (action === undefined || action.includes(change.action)) &&
    (from === undefined || change.at >= from) &&
    (to === undefined || change.at < to)
  );
}
