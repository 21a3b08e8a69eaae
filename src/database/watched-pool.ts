import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DatabaseBounds } from '../config/bounds';
import type { DatabaseHeartbeat } from './database-heartbeat';
import { sendStatements } from './sent-statements';
import { DatabaseAwayError } from './sql-errors';

type OnConnected = (error: Error | null, client?: Client) => void;
type OnAcquired = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/** What `pg-pool` says to who has waited in vain for a connection that is in use. */
const WAITED_IN_VAIN = 'timeout exceeded when trying to connect';

/** What TypeORM takes its pool from, in place of `pg`. */
export interface PoolDriver {
  Pool: new (config: PoolConfig) => Pool;
}

/** How a pool is used at this moment. */
export interface PoolUse {
  /** Connections that somebody works on. */
  busy: number;
  idle: number;
  /** Units of work that wait for a connection. */
  waiting: number;
}

/**
 * A pool of `pg` that lets nobody wait in vain: nobody at all while the database is silent, and no more than the bounds allow
 * while all connections are in use. Its connections carry the bounds on statements, locks and idle transactions.
 */
export class WatchedPools {
  /** Units of work that were refused because too many waited, or that waited in vain. */
  refused = 0;
  /** Told how long each statement took, from when it was sent. */
  onAnswered: ((seconds: number) => void) | undefined;
  private readonly pools = new Set<Pool>();

  constructor(
    private readonly watch: DatabaseHeartbeat,
    private readonly bounds: DatabaseBounds,
  ) {}

  get use(): PoolUse {
    const pools = [...this.pools];
    const sum = (count: (pool: Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
    const idle = sum((pool) => pool.idleCount);
    return { busy: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) };
  }

  /** @param isBounded whether connections carry the bounds, and prepare what is sent often; the embedded database has one session, and nobody to wait for */
  driver(isBounded: boolean): PoolDriver {
    const { watch, bounds } = this;
    const refusal = (pool: Pool): Error | undefined => this.refusalOf(pool);
    // The pool waits for it, whatever its type says.
    const hooks = isBounded ? { onConnect: (client: ClientBase) => applyBounds(client, bounds) } : {};
    const onAnswered = (seconds: number) => this.onAnswered?.(seconds);
    const adopt = (pool: Pool) => this.pools.add(pool);
    const note = (error: unknown) => this.countIfInVain(error);
    const noteAndThrow = (error: unknown): never => {
      note(error);
      throw error;
    };

    class WatchedClient extends Client {
      constructor(config: ClientConfig) {
        super({ ...config, connectionTimeoutMillis: bounds.connectMs });
        sendStatements(this, { prepares: isBounded, onAnswered });
        watch.add(this);
        this.once('end', () => watch.remove(this));
      }

      override connect(): Promise<Client>;
      override connect(done: OnConnected): void;
      override connect(done?: OnConnected): Promise<Client> | void {
        const { refusal } = watch;
        if (!refusal) return done ? super.connect(done as (error: Error) => void) : super.connect();
        watch.remove(this);
        if (!done) return Promise.reject(refusal);
        process.nextTick(done, refusal);
      }
    }

    class WatchedPool extends Pool {
      constructor(config: PoolConfig) {
        super({
          ...config,
          Client: WatchedClient as unknown as PoolConfig['Client'],
          // Of the pool, this bounds the wait for a connection that is in use.
          connectionTimeoutMillis: bounds.queueMs,
          ...hooks,
        });
        adopt(this);
      }

      override connect(): Promise<PoolClient>;
      override connect(done: OnAcquired): void;
      override connect(done?: OnAcquired): Promise<PoolClient> | void {
        const refused = refusal(this);
        if (!done) return refused ? Promise.reject(refused) : super.connect().catch(noteAndThrow);
        if (refused) return process.nextTick(done, refused, undefined, () => undefined);
        super.connect((error, client, release) => {
          note(error);
          done(error, client, release);
        });
      }
    }

    return { Pool: WatchedPool };
  }

  private countIfInVain(error: unknown): void {
    if (error instanceof Error && error.message === WAITED_IN_VAIN) this.refused += 1;
  }

  private refusalOf(pool: Pool): Error | undefined {
    if (this.watch.refusal) return this.watch.refusal;
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
    // Requests are refused before they come here; this is for work of any other kind.
    if (!isFull || pool.waitingCount < this.bounds.queue + pool.options.max) return undefined;
    this.refused += 1;
    return new DatabaseAwayError('too many wait for a connection to the database');
  }
}

/**
 * By a statement, and not when the connection is made: a pooler between here and the server (PgBouncer) refuses connections
 * that ask for settings that it does not know.
 */
async function applyBounds(client: ClientBase, bounds: DatabaseBounds): Promise<void> {
  await client.query(
    `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
       set_config('idle_in_transaction_session_timeout', $3, false)`,
    [bounds.statementMs, bounds.lockMs, bounds.idleTransactionMs].map(String),
  );
}
