import { Logger } from '@nestjs/common';

/** Logs each piece of advice to the operator once. */
export class Advice {
  private readonly logger = new Logger('Database');
  private readonly given = new Set<string>();

  give(advice: string): void {
    if (!this.given.has(advice)) this.logger.warn(advice);
    this.given.add(advice);
  }
}

export const KEEP_NO_PREPARED_STATEMENTS =
  'The connection pooler between this service and PostgreSQL loses prepared statements. Set DATABASE_PREPARED_STATEMENTS=false.';

export const GIVE_THE_ROLE_ITS_BOUNDS =
  'A connection pooler stands between this service and PostgreSQL, so each change is made in a transaction that sets its own time-outs. ' +
  'If the role has the same time-outs (ALTER ROLE, see docs/operations.md), changes need fewer round trips.';
