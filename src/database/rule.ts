import type { EntityManager } from 'typeorm';

/** A change of a transaction, as the journal will tell of it. */
export interface RecordedChange {
  /** Such as `user.workspaces.assigned`. */
  action: string;
  /** The ids of its users; null if it is about none. */
  users: string[] | null;
  /** The ids of its workspaces. */
  workspaces: string[] | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/**
 * Refuses changes of the directory, whichever door they come through. It is asked once in each transaction that changed
 * something, also of a dry run, after its writes. What it refuses leaves no trace. It is not asked about ends that are
 * carried out: they were decided before.
 *
 * Others change the directory meanwhile. So lock rows or keys of your own before you count, in the order of their keys,
 * and count in a later statement: it sees what was committed while the lock was waited for.
 */
export interface Rule {
  /** @throws a refusal of the plugin */
  judge(manager: EntityManager, changes: readonly RecordedChange[]): Promise<void>;
}

export const RULES = Symbol('RULES');

/** The changes that this transaction has left in the inbox. */
export const CHANGES_OF_TRANSACTION = `
  SELECT action, user_ids AS users, workspace_ids AS workspaces, before, after
  FROM journal_inbox CROSS JOIN LATERAL unnest(changes)
    WITH ORDINALITY AS change (action, user_ids, workspace_ids, before, after, nth)
  WHERE xid = pg_current_xact_id_if_assigned() ORDER BY id, nth`;

/**
 * Gives these changes their place in the inbox again. A rule may have waited for another transaction, which then comes
 * first.
 */
export const APPEND_LAST = `
  WITH mine AS (DELETE FROM journal_inbox WHERE xid = pg_current_xact_id_if_assigned() RETURNING *)
  INSERT INTO journal_inbox (at, actor_kind, actor_id, granted_by, reason, request_id, traceparent, changes, user_keys)
  SELECT at, actor_kind, actor_id, granted_by, reason, request_id, traceparent, changes, user_keys
  FROM mine ORDER BY id`;
