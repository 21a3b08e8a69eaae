import { Injectable } from '@nestjs/common';
import { prepared } from '../database/prepared-statements';
import { ReservedStatements } from '../database/statements';

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

/** The changes that are committed and not sealed. No reader, follower or webhook sees them yet. */
@Injectable()
export class UnsealedChanges {
  constructor(private readonly statements: ReservedStatements) {}

  /** The age of the oldest; 0 if there is none. */
  async read(): Promise<{ ageSeconds: number }> {
    const [oldest] = await this.statements.query<[{ ageSeconds: number }]>(OLDEST);
    return oldest;
  }
}
