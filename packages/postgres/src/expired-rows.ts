import type { EntityManager } from 'typeorm';

const BETWEEN_SWEEPS_MS = 3_600_000;

/** What a sweep finds expired. */
interface Finding {
  /** By the monotonic clock of the process. */
  at: number;
  /** By the clock of the database. */
  time: Date;
  /** The number of the newest expired row. */
  number: string;
}

/**
 * Removes the expired rows of a table, in batches. A row counts until it is removed, whatever its expiry says, because
 * the clock of the database can be hours ahead for a moment. So a row is removed only if two sweeps find it expired,
 * which are an hour apart by the monotonic clock of the process.
 */
export class ExpiredRows {
  private earlier?: Finding;
  private latest?: Finding;

  constructor(
    private readonly table: string,
    private readonly options: { keptHours: number; batch: number },
  ) {}

  /** Skips rows that another process has locked. */
  async sweep(manager: EntityManager): Promise<void> {
    const previous = this.latest;
    if (!previous || performance.now() - previous.at >= BETWEEN_SWEEPS_MS) {
      this.latest = await this.find(manager);
      this.earlier = previous;
    }
    if (this.earlier) await this.remove(manager, this.earlier);
  }

  private async find(manager: EntityManager): Promise<Finding> {
    const [found]: [Omit<Finding, 'at'>] = await manager.query(
      `SELECT now() AS time, COALESCE(max(number), 0) AS number FROM ${this.table} WHERE ${this.isExpired('now()')}`,
    );
    return { ...found, at: performance.now() };
  }

  private async remove(manager: EntityManager, { time, number }: Finding): Promise<void> {
    await manager.query(
      `DELETE FROM ${this.table} WHERE id IN (
         SELECT id FROM ${this.table} WHERE ${this.isExpired('LEAST(now(), $1::timestamptz)')} AND number <= $2
         ORDER BY expires_at LIMIT ${this.options.batch} FOR UPDATE SKIP LOCKED)`,
      [time, number],
    );
  }

  private isExpired(now: string): string {
    return `expires_at <= ${now} - interval '${this.options.keptHours} hours'`;
  }
}
