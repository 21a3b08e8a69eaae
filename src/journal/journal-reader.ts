import { Injectable } from '@nestjs/common';
import type { Actor, JournalAction, JournalEntry } from '../contract/journal';
import { type Proof, ReplicaReads } from '../database/replica-reads';
import { type JournalFilter, type JournalPosition, searchFor } from './journal-search';

/** The columns of an entry that are told to others. */
export interface EntryRow {
  at: Date;
  action: JournalAction;
  actor_kind: Actor['kind'];
  actor_id: string;
  granted_by: string | null;
  user_id: string | null;
  workspace_ids: string[];
  before: JournalEntry['before'];
  after: JournalEntry['after'];
  reason: string | null;
  request_id: string | null;
}

interface Row extends EntryRow {
  id: string;
}

/** Reads the journal, newest first, page by page; with replicas, as it was a few moments ago. */
@Injectable()
export class JournalReader {
  constructor(private readonly reads: ReplicaReads) {}

  /**
   * The newest entries that are older than a position. What arrives meanwhile is newer than any page already read, so no
   * later page repeats or skips an entry that the first one could have told.
   *
   * @returns the entries, and the position to go on from if there are more
   */
  async page(
    filter: JournalFilter,
    limit: number,
    olderThan?: JournalPosition,
  ): Promise<{ entries: JournalEntry[]; next?: JournalPosition }> {
    const { source, order, parameters } = searchFor(filter, limit + 1, olderThan);
    const rows = await this.reads.query<Row>(
      `SELECT entry.id, entry.at, action, actor_kind, actor_id, granted_by, user_id, workspace_ids, before, after, reason,
         request_id
       FROM ${source} ORDER BY ${order} LIMIT ${limit + 1}`,
      parameters,
      olderThan && holds(olderThan),
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { entries: page.map(toEntry), next: rows.length > limit ? last : undefined };
  }
}

/** A replica that has not come as far as where the last page ended would leave out what is between. */
function holds({ at, id }: JournalPosition): Proof {
  return { statement: 'SELECT id FROM journal_entries WHERE id = $1 AND at = $2', parameters: [id, at] };
}

function toEntry(row: Row): JournalEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id },
    grantedBy: row.granted_by,
    user: row.user_id,
    workspaces: row.workspace_ids,
    before: row.before,
    after: row.after,
    reason: row.reason,
    requestId: row.request_id,
  };
}
