import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

const PATIENCE_MS = 5_000;
const POLL_MS = 2;

/** A lock held by a test, which makes transactions of the service queue up at a known place and in a known order. */
export class Gate {
  private constructor(private readonly client: Client) {}

  /** @param statement what to lock, such as `SELECT FROM users WHERE id = $1 FOR UPDATE` */
  static async close(url: string, statement: string, parameters: unknown[]): Promise<Gate> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, parameters);
    return new Gate(client);
  }

  /** Resolves once exactly this many sessions of the database wait for a lock. */
  async waitFor(waiting: number): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      // A transaction sees the sessions as they were when it first looked, unless told to look again.
      await this.client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await this.client.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rows[0]?.count === waiting) return;
      if (Date.now() > deadline) throw new Error(`${rows[0]?.count} sessions wait for a lock, not ${waiting}`);
      await delay(POLL_MS);
    }
  }

  async open(): Promise<void> {
    await this.client.query('ROLLBACK');
    await this.client.end();
  }
}
