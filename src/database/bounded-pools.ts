import { type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DatabaseBounds } from '../config/bounds';
import { Advice, GIVE_THE_ROLE_ITS_BOUNDS, KEEP_NO_PREPARED_STATEMENTS } from './operator-advice';
import { type ConnectionPurpose, DatabaseClient } from './database-client';
import { DatabaseAwayError } from './database-errors';
import type { DatabaseHeartbeat } from './database-heartbeat';
import type { DatabaseServers } from './database-servers';
import { isPreparedStatementLost } from './sql-errors';

type Release = PoolClient['release'];
type OnAcquired = (error: Error | undefined, client: PoolClient | undefined, done: Release) => void;

/** The message of `pg-pool` when the wait for a connection took too long. */
const WAITED_IN_VAIN = 'timeout exceeded when trying to connect';

/** The driver from which TypeORM takes its pool, instead of `pg`. */
interface PoolDriver {
  Pool: new (config: PoolConfig) => Pool;
}

/** The current use of the pools. */
interface PoolUse {
  /** Connections in use. */
  busy: number;
  idle: number;
  /** Units of work that wait for a connection. */
  waiting: number;
}

/**
 * Pools of `pg` that refuse at once when waiting is pointless: always while the database cannot serve, and beyond the
 * configured queue while all connections are in use. A connection that may lead to a server that cannot write is closed
 * instead of reused.
 */
export class BoundedPools {
  /** Units of work that were refused because too many waited, or that waited too long. */
  refused = 0;
  /** Called with the duration of each statement, measured from when it was sent. */
  onAnswered: ((seconds: number) => void) | undefined;
  /** The bounds that each transaction must set: behind a pooler, the service must not set those of a session. */
  boundsOfTransactions: DatabaseBounds | undefined;
  /** Whether connections go through a pooler, which can send each statement to another server. */
  isBehindPooler = false;
  private readonly pools = new Set<Pool>();
  private readonly advice = new Advice();

  constructor(
    private readonly heartbeat: DatabaseHeartbeat,
    private readonly servers: DatabaseServers,
    private readonly bounds: DatabaseBounds,
    private readonly purpose: ConnectionPurpose,
  ) {}

  get use(): PoolUse {
    const pools = [...this.pools];
    const sum = (count: (pool: Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
    const idle = sum((pool) => pool.idleCount);
    return { busy: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) };
  }

  driver(): PoolDriver {
    const { heartbeat, bounds, purpose } = this;
    const config = (): ClientConfig => this.servers.config();
    const refusal = (pool: Pool): Error | undefined => this.refusalOf(pool);
    const adopt = (pool: Pool) => this.pools.add(pool);
    const note = (error: unknown) => this.countIfInVain(error);
    const onAnswered = (seconds: number) => this.onAnswered?.(seconds);
    const onConnected = (client: DatabaseClient) => this.connected(client);
    const onFailed = (error: unknown) => {
      heartbeat.statementFailed(error);
      if (isPreparedStatementLost(error)) this.advice.give(KEEP_NO_PREPARED_STATEMENTS);
    };

    class PooledClient extends DatabaseClient {
      constructor() {
        super(config, { ...purpose, onAnswered, onFailed });
        heartbeat.add(this);
        this.once('end', () => heartbeat.remove(this));
      }

      protected override async open(): Promise<void> {
        const { refusal } = heartbeat;
        try {
          if (refusal) throw refusal;
          await super.open();
          onConnected(this);
        } catch (error) {
          heartbeat.remove(this);
          if (!refusal) heartbeat.connectionFailed(error);
          throw error;
        }
      }
    }

    class BoundedPool extends Pool {
      constructor(config: PoolConfig) {
        super({
          ...config,
          Client: PooledClient as unknown as PoolConfig['Client'],
          // For a pool, this bounds the wait for a connection in use.
          connectionTimeoutMillis: bounds.queueMs,
        });
        // Without this listener, an idle connection that breaks would end the process.
        this.on('error', () => undefined);
        adopt(this);
      }

      override connect(): Promise<PoolClient>;
      override connect(done: OnAcquired): void;
      override connect(done?: OnAcquired): Promise<PoolClient> | void {
        if (!done) {
          return new Promise((resolve, reject) =>
            this.connect((error, client) => (client ? resolve(client) : reject(error as Error))),
          );
        }
        const refused = refusal(this);
        if (refused) return process.nextTick(done, refused, undefined, () => undefined);
        super.connect((error, client, release) => {
          note(error);
          if (client) lend(client as unknown as PoolClient & DatabaseClient);
          done(error, client, client?.release ?? release);
        });
      }
    }

    return { Pool: BoundedPool };
  }

  private connected({ session }: DatabaseClient): void {
    this.isBehindPooler = session?.isShared ?? false;
    this.boundsOfTransactions = session?.isBounded === false ? this.purpose.bounds : undefined;
    if (this.boundsOfTransactions) this.advice.give(GIVE_THE_ROLE_ITS_BOUNDS);
  }

  private countIfInVain(error: unknown): void {
    if (error instanceof Error && error.message === WAITED_IN_VAIN) this.refused += 1;
  }

  private refusalOf(pool: Pool): Error | undefined {
    if (this.heartbeat.refusal) return this.heartbeat.refusal;
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
    if (!isFull || pool.waitingCount < this.bounds.queue) return undefined;
    this.refused += 1;
    return new DatabaseAwayError('too many wait for a connection to the database');
  }
}

/** On release, the connection returns to the pool, or is closed if it is no longer trusted. */
function lend(client: PoolClient & DatabaseClient): void {
  const { release } = client;
  client.isBusy = true;
  // Assigned directly, the function would be allocated in the old generation: see `instrumentClient`.
  const giveBack: Release = (error) => {
    client.isBusy = false;
    release(error || !client.isTrusted);
  };
  client.release = giveBack;
}
