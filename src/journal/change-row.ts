import type { Actor, JournalAction, JournalFacts } from '../contract/journal';
import type { JournalEntryDto } from './dto/journal-page.dto';

/** The columns of `journal_changes` that a change and its entries share. */
export interface ChangeRow {
  at: Date;
  action: JournalAction;
  actor_kind: Actor['kind'];
  actor_id: string;
  granted_by: string | null;
  workspace_ids: string[];
  before: JournalFacts[JournalAction] | null;
  after: JournalFacts[JournalAction] | null;
  reason: string | null;
  request_id: string | null;
  traceparent: string | null;
  /** At least the size of an entry in JSON, without its user. */
  bytes: number;
}

/** The users of a change, or NULL if it has none, for a query in which the table is called `change`. */
export const CHANGE_USERS = 'COALESCE(change.user_ids, ARRAY[change.user_id])';

/** The workspaces of a change. */
export const CHANGE_WORKSPACES = 'COALESCE(change.workspace_ids, array_remove(ARRAY[change.workspace_id], NULL))';

export const CHANGE_COLUMNS = `change.at, change.action, change.actor_kind, change.actor_id, change.granted_by,
  ${CHANGE_WORKSPACES} AS workspace_ids, change.before, change.after, change.reason, change.request_id, change.traceparent, change.bytes`;

/** The size of the user of an entry, of its id and of its names of fields, in JSON. */
export const ENTRY_BYTES = 2_048;

/** The entry of one user of a change. */
export function toEntry(change: ChangeRow, id: string, user: string | null): JournalEntryDto {
  return {
    id,
    at: change.at.toISOString(),
    action: change.action,
    actor: { kind: change.actor_kind, id: change.actor_id },
    grantedBy: change.granted_by,
    user,
    workspaces: change.workspace_ids,
    before: change.before,
    after: change.after,
    reason: change.reason,
    requestId: change.request_id,
  };
}
