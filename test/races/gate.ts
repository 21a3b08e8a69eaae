import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** Ends what hangs. */
const PATIENCE_MS = 90_000;
const POLL_MS = 2;

/** A lock held by a test, which makes transactions of the service queue up at a known place and in a known order. */
export class Gate {
  private ended = false;

  private constructor(private readonly client: Client) {}

  /** @param statement what to lock, such as `SELECT FROM users WHERE id = $1 FOR UPDATE` */
  static async close(url: string, statement: string, parameters: unknown[]): Promise<Gate> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await client.query(statement, parameters);
    return new Gate(client);
  }

  /** Resolves once exactly this many sessions of the database wait for a lock. When they never do, the gate opens. */
  async waitFor(waiting: number): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      // A transaction sees the sessions as they were when it first looked, unless told to look again.
      await this.client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await this.client.query<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rows[0]?.count === waiting) return;
      if (Date.now() > deadline) {
        await this.open();
        throw new Error(`${rows[0]?.count} sessions wait for a lock, not ${waiting}`);
      }
      await delay(POLL_MS);
    }
  }

  /** The number of sessions that wait for this transaction, and not only for one that waits itself. */
  async holding(): Promise<number> {
    await this.client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await this.client.query<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND pg_backend_pid() = ANY (pg_blocking_pids(pid))`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Starts each when those before it wait for a lock, lets go of all at once, and returns what becomes of them. */
  async inTurn<T extends unknown[]>(...starts: { [K in keyof T]: () => Promise<T[K]> }): Promise<T> {
    const running: Promise<unknown>[] = [];
    try {
      for (const start of starts) {
        running.push(start());
        await this.waitFor(running.length);
      }
    } finally {
      await this.open();
      await Promise.allSettled(running);
    }
    return (await Promise.all(running)) as T;
  }

  /** Does something while this waits for the gate, and then commits what was done behind it, unless that opens the gate. */
  async during<T>(start: () => Promise<T>, meanwhile?: (gate: Gate) => Promise<unknown>): Promise<T> {
    const waiting = start();
    try {
      await this.waitFor(1);
      await meanwhile?.(this);
      if (!this.ended) await this.commit();
    } finally {
      await this.open();
    }
    return waiting;
  }

  /** Does something in the transaction that holds the lock. */
  async execute(statement: string, parameters: unknown[] = []): Promise<void> {
    await this.client.query(statement, parameters);
  }

  /** Opens the gate, and makes everything visible that was done behind it. */
  commit(): Promise<void> {
    return this.end('COMMIT');
  }

  async open(): Promise<void> {
    if (!this.ended) await this.end('ROLLBACK');
  }

  private async end(statement: string): Promise<void> {
    this.ended = true;
    await this.client.query(statement);
    await this.client.end();
  }
}
