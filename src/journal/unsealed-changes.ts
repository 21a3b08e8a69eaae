import { Injectable } from '@nestjs/common';
import { prepared, ReservedStatements } from '@user-administration/postgres';
import { BRIEF_PAGE_BYTES, PAGE_BYTES } from '../answers/page-budget';
import type { Head } from './seal-journal';

/** Reads what `seal_journal` would take, and so no dead rows of the inbox. */
const OLDEST = prepared(
  'journal_unsealed_age',
  `SELECT COALESCE(GREATEST(extract(epoch FROM clock_timestamp() - min(at)), 0), 0)::float8 AS "ageSeconds" FROM (
     SELECT i.at FROM journal_head AS h JOIN journal_inbox AS i ON i.xid >= pg_snapshot_xmax(h.snapshot)
     UNION ALL
     SELECT i.at FROM journal_head AS h CROSS JOIN LATERAL pg_snapshot_xip(h.snapshot) AS earlier
       JOIN journal_inbox AS i ON i.xid = earlier
   ) AS unsealed`,
);

/** The present statuses of the users whom unsealed changes concern. */
export interface UnsealedStatuses {
  /** The head of the journal in the same snapshot. */
  head: Head;
  active: string[];
  /** Also ids without a record: those of deleted users, and earlier ids. */
  inactive: string[];
  /** Whether these are all: there are at most as many as fit on a page. */
  isWhole: boolean;
}

interface StatusesRow extends Omit<UnsealedStatuses, 'head' | 'isWhole'> {
  position: string;
  hash: string;
  pruned: string;
  is_whole: boolean;
}

/** The bytes of the ids beside a page of brief entries. */
const STATUSES_BYTES = PAGE_BYTES - BRIEF_PAGE_BYTES;

/** One snapshot: what is not in the journal up to this head is in the inbox, and the records are as both leave them. */
const STATUSES = prepared(
  'journal_unsealed_statuses',
  `WITH head AS MATERIALIZED (SELECT position, hash, snapshot, pruned FROM journal_head), unsealed AS (
     SELECT i.changes FROM head AS h JOIN journal_inbox AS i ON i.xid >= pg_snapshot_xmax(h.snapshot)
     UNION ALL
     SELECT i.changes FROM head AS h CROSS JOIN LATERAL pg_snapshot_xip(h.snapshot) AS earlier
       JOIN journal_inbox AS i ON i.xid = earlier
   ), concerned AS (
     SELECT DISTINCT concerned.id FROM unsealed CROSS JOIN LATERAL unnest(unsealed.changes) AS change
     CROSS JOIN LATERAL unnest(
       CASE change.action WHEN 'user.renamed' THEN change.user_ids || (change.after ->> 'id') ELSE change.user_ids END
     ) AS concerned (id)
     WHERE change.action IN ('user.created', 'user.deleted', 'user.renamed', 'user.status.changed')
   ), told AS (
     SELECT c.id, COALESCE(u.status = 'active', false) AS is_active,
       sum(octet_length(to_json(c.id)::text) + 1) OVER (ORDER BY u.status = 'active', c.id) AS bytes
     FROM concerned AS c LEFT JOIN users AS u ON u.id = c.id
   ), sorted AS (
     SELECT COALESCE(array_agg(id) FILTER (WHERE is_active AND bytes <= ${STATUSES_BYTES}), '{}') AS active,
       COALESCE(array_agg(id) FILTER (WHERE NOT is_active AND bytes <= ${STATUSES_BYTES}), '{}') AS inactive,
       COALESCE(max(bytes), 0) <= ${STATUSES_BYTES} AS is_whole
     FROM told
   )
   SELECT head.position, encode(head.hash, 'hex') AS hash, head.pruned, sorted.* FROM head CROSS JOIN sorted`,
);

/** The changes that are committed and not sealed. No reader and no follower sees them yet. */
@Injectable()
export class UnsealedChanges {
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<UnsealedStatuses> | undefined;

  constructor(private readonly statements: ReservedStatements) {}

  /** Complete for everything that was committed before the call. Calls share a reading that has not begun. */
  statuses(): Promise<UnsealedStatuses> {
    this.next ??= this.current.then(() => {
      const reading = this.readStatuses();
      this.current = reading.catch(() => undefined);
      this.next = undefined;
      return reading;
    });
    return this.next;
  }

  private async readStatuses(): Promise<UnsealedStatuses> {
    const [row] = await this.statements.query<[StatusesRow]>(STATUSES);
    const head = { position: Number(row.position), hash: row.hash, pruned: Number(row.pruned) };
    return { head, active: row.active, inactive: row.inactive, isWhole: row.is_whole };
  }

  /** The age of the oldest; 0 if there is none. */
  async read(): Promise<{ ageSeconds: number }> {
    const [oldest] = await this.statements.query<[{ ageSeconds: number }]>(OLDEST);
    return oldest;
  }
}
