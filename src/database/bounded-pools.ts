import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DatabaseBounds } from '../config/bounds';
import { Advice, GIVE_THE_ROLE_ITS_BOUNDS, KEEP_NO_PREPARED_STATEMENTS } from './operator-advice';
import { type ConnectionPurpose, DatabaseClient } from './database-client';
import { DatabaseAwayError } from './database-errors';
import { DatabaseHeartbeat } from './database-heartbeat';
import type { DatabaseServers } from './database-servers';
import type { StatementObserver } from './instrument-client';
import { isPreparedStatementLost } from './sql-errors';

type OnAcquired = (error: Error | undefined, client: PoolClient | undefined, done: PoolClient['release']) => void;
/** A pool creates only {@link DatabaseClient}s, but its events declare the usual ones. */
type Pooled = PoolClient & DatabaseClient;

/** The message of `pg-pool` when the wait for a connection took too long. */
const WAITED_IN_VAIN = 'timeout exceeded when trying to connect';

/** The driver from which TypeORM takes its pool, instead of `pg`. */
interface PoolDriver {
  Pool: new (config: PoolConfig) => Pool;
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
  /** Whether a statement outside a transaction is READ COMMITTED, on every connection so far. */
  areReadCommitted: boolean | undefined;
  readonly heartbeat: DatabaseHeartbeat;
  private readonly pools = new Set<Pool>();
  private readonly advice = new Advice();

  constructor(
    readonly servers: DatabaseServers,
    readonly bounds: DatabaseBounds,
    readonly purpose: ConnectionPurpose,
  ) {
    this.heartbeat = new DatabaseHeartbeat(servers, purpose);
  }

  /** The connections in use and not, and the units of work that wait for one. */
  get use() {
    const pools = [...this.pools];
    const sum = (count: (pool: Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
    const idle = sum((pool) => pool.idleCount);
    return { busy: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) };
  }

  driver(): PoolDriver {
    return { Pool: boundedPool(this) };
  }

  /** Each pool calls this and the following methods. */
  adopt(pool: Pool): void {
    this.pools.add(pool);
  }

  refusalOf(pool: Pool): Error | undefined {
    if (this.heartbeat.refusal) return this.heartbeat.refusal;
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
    if (!isFull || pool.waitingCount < this.bounds.queue) return undefined;
    this.refused += 1;
    return new DatabaseAwayError('too many wait for a connection to the database');
  }

  connected({ session }: DatabaseClient): void {
    this.isBehindPooler = session?.isShared ?? false;
    this.areReadCommitted = this.areReadCommitted !== false && session?.isReadCommitted === true;
    this.boundsOfTransactions = session?.isBounded === false ? this.purpose.bounds : undefined;
    if (this.boundsOfTransactions) this.advice.give(GIVE_THE_ROLE_ITS_BOUNDS);
  }

  notConnected(error: unknown): void {
    if (error instanceof Error && error.message === WAITED_IN_VAIN) this.refused += 1;
  }

  statementFailed(error: unknown): void {
    this.heartbeat.statementFailed(error);
    if (isPreparedStatementLost(error)) this.advice.give(KEEP_NO_PREPARED_STATEMENTS);
  }
}

function boundedPool(pools: BoundedPools): PoolDriver['Pool'] {
  const Client = pooledClient(pools) as unknown as PoolConfig['Client'];

  return class BoundedPool extends Pool {
    constructor(config: PoolConfig) {
      // For a pool, the time limit bounds the wait for a connection in use.
      super({ ...config, Client, connectionTimeoutMillis: pools.bounds.queueMs });
      // Without this listener, an idle connection that breaks would end the process.
      this.on('error', () => undefined);
      this.on('acquire', (client) => ((client as Pooled).isBusy = true));
      this.on('release', (_error, client) => giveBack(client as Pooled));
      pools.adopt(this);
    }

    override connect(): Promise<PoolClient>;
    override connect(done: OnAcquired): void;
    override connect(done?: OnAcquired): Promise<PoolClient> | void {
      if (!done) {
        return new Promise((resolve, reject) =>
          this.connect((error, client) => (client ? resolve(client) : reject(error as Error))),
        );
      }
      const refused = pools.refusalOf(this);
      if (refused) return process.nextTick(done, refused, undefined, () => undefined);
      super.connect((error, client, release) => {
        if (error) pools.notConnected(error);
        done(error, client, release);
      });
    }
  };
}

function pooledClient(pools: BoundedPools): new () => DatabaseClient {
  const { heartbeat, servers } = pools;
  const observer: StatementObserver = {
    onAnswered: (seconds) => pools.onAnswered?.(seconds),
    onFailed: (error) => pools.statementFailed(error),
  };

  return class PooledClient extends DatabaseClient {
    constructor() {
      super(() => servers.config(), { ...pools.purpose, ...observer });
      heartbeat.add(this);
      this.once('end', () => heartbeat.remove(this));
    }

    protected override async open(): Promise<void> {
      const { refusal } = heartbeat;
      try {
        if (refusal) throw refusal;
        await super.open();
        pools.connected(this);
      } catch (error) {
        heartbeat.remove(this);
        if (!refusal) heartbeat.connectionFailed(error);
        throw error;
      }
    }
  };
}

/** A connection that is no longer trusted is closed: the pool keeps none that ends. */
function giveBack(client: Pooled): void {
  client.isBusy = false;
  if (!client.isTrusted) void client.end();
}
