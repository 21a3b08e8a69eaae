import { Logger } from '@nestjs/common';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DatabaseBounds } from './database-bounds';
import { type ConnectionOptions, DatabaseClient } from './database-client';
import { DatabaseAwayError } from './database-errors';
import { DatabaseHeartbeat } from './database-heartbeat';
import { type DatabaseLocation, DatabaseServers } from './database-servers';
import type { Session } from './session-check';
import { isPreparedStatementLost } from './sql-errors';

type OnAcquired = (error: Error | undefined, client: PoolClient | undefined, done: PoolClient['release']) => void;

/** The message of `pg-pool` when the wait for a connection took too long. */
const WAITED_IN_VAIN = 'timeout exceeded when trying to connect';

export const KEEP_NO_PREPARED_STATEMENTS =
  'The connection pooler between this service and PostgreSQL loses prepared statements. Set ' +
  'DATABASE_PREPARED_STATEMENTS=false.';

const GIVE_THE_ROLE_ITS_BOUNDS =
  'A connection pooler stands between this service and PostgreSQL, so each change is made in a transaction that ' +
  'sets its own time-outs. ' +
  'If the role has the same time-outs (ALTER ROLE, see docs/proxies.md), changes need fewer round trips.';

/**
 * What the pools of this process to one database have in common: bounds, heartbeat, counts, and what their connections
 * reported.
 */
export class ConnectionPools {
  /** Units of work that were refused because too many waited, or that waited too long. */
  refused = 0;
  /** Called with the duration of each statement, measured from when it was sent. */
  onAnswered: ((seconds: number) => void) | undefined;
  /**
   * The bounds that each transaction must set, because some connection has led to a session without them: behind a
   * pooler, the service must not set those of a session.
   */
  boundsOfTransactions: DatabaseBounds | undefined;
  /** Whether all connections share one session: what one of them waits for, all wait for. */
  haveOneSession: boolean;
  /** Whether connections go through a pooler, which can send each statement to another server. */
  isBehindPooler = false;
  /** Whether a statement outside a transaction is READ COMMITTED, on every connection so far. */
  areReadCommitted: boolean | undefined;
  readonly heartbeat: DatabaseHeartbeat;
  readonly bounds: DatabaseBounds;
  readonly connection: ConnectionOptions;
  private readonly pools = new Set<Pool>();
  private readonly logger = new Logger('Database');
  private readonly advice = new Set<string>();

  /** @param isEmbedded the embedded database has one session, so it needs neither bounds nor prepared statements */
  constructor(
    location: DatabaseLocation,
    { bounds, prepares }: { bounds: DatabaseBounds; prepares: boolean },
    isEmbedded = false,
  ) {
    const connection = { servers: new DatabaseServers(location), connectMs: bounds.connectMs };
    this.bounds = bounds;
    this.haveOneSession = isEmbedded;
    this.connection = isEmbedded ? connection : { ...connection, bounds, prepares };
    this.heartbeat = new DatabaseHeartbeat(connection);
  }

  /** The connections in use and not, and the units of work that wait for one. */
  get use() {
    const pools = [...this.pools];
    const sum = (count: (pool: Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
    const idle = sum((pool) => pool.idleCount);
    return { busy: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) };
  }

  /** Each pool calls this and the following methods; this one when it has made its first connection. */
  add(pool: Pool): void {
    for (const other of this.pools) if (other.ended) this.pools.delete(other);
    this.pools.add(pool);
  }

  refusalOf(pool: Pool): Error | undefined {
    if (this.heartbeat.refusal) return this.heartbeat.refusal;
    const isFull = pool.idleCount === 0 && pool.totalCount >= pool.options.max;
    if (!isFull || pool.waitingCount < this.bounds.queue) return undefined;
    this.refused += 1;
    return new DatabaseAwayError('too many wait for a connection to the database');
  }

  connected({ isOnly, isShared, isReadCommitted, isBounded }: Session): void {
    this.haveOneSession = isOnly;
    this.isBehindPooler = isShared;
    this.areReadCommitted = this.areReadCommitted !== false && isReadCommitted;
    if (isBounded !== false) return;
    this.boundsOfTransactions = this.bounds;
    this.advise(GIVE_THE_ROLE_ITS_BOUNDS);
  }

  answered(seconds: number, failure: Error | null | undefined): void {
    this.onAnswered?.(seconds);
    if (!failure) return;
    this.heartbeat.statementFailed(failure);
    if (isPreparedStatementLost(failure)) this.advise(KEEP_NO_PREPARED_STATEMENTS);
  }

  /** Logs each piece of advice to the operator once. */
  private advise(advice: string): void {
    if (!this.advice.has(advice)) this.logger.warn(advice);
    this.advice.add(advice);
  }
}

/**
 * A pool of `pg` that refuses at once when waiting is pointless: always while the database cannot serve, and beyond the
 * configured queue while all connections are in use. A connection that may lead to a server that cannot write is closed
 * instead of reused.
 */
export class ConnectionPool extends Pool {
  private readonly pools: ConnectionPools;

  constructor({ max, pools }: { max: number; pools: ConnectionPools }) {
    // A pool passes its options to each connection. For the pool, the time limit bounds the wait for a connection in
    // use.
    const options = { max, pools, Client: PooledClient, connectionTimeoutMillis: pools.bounds.queueMs };
    super(options as unknown as PoolConfig);
    this.pools = pools;
    // Without this listener, an idle connection that breaks would end the process.
    this.on('error', () => undefined);
    this.on('acquire', (client) => ((client as Pooled).isBusy = true));
    this.on('release', closeUntrusted);
    // Not earlier: TypeORM makes a new pool for each attempt to connect, and drops it silently if the attempt fails.
    this.once('connect', () => pools.add(this));
  }

  override connect(): Promise<PoolClient>;
  override connect(done: OnAcquired): void;
  override connect(done?: OnAcquired): Promise<PoolClient> | void {
    if (!done) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error as Error))),
      );
    }
    const refused = this.pools.refusalOf(this);
    if (refused) return process.nextTick(done, refused, undefined, () => undefined);
    super.connect((error, client, release) => {
      if (error?.message === WAITED_IN_VAIN) this.pools.refused += 1;
      done(error, client, release);
    });
  }
}

/** The connections of a {@link ConnectionPool}, but its events declare the usual ones. */
type Pooled = PoolClient & DatabaseClient;

class PooledClient extends DatabaseClient {
  private readonly pools: ConnectionPools;

  constructor({ pools }: { pools: ConnectionPools }) {
    super(pools.connection);
    this.pools = pools;
  }

  protected override async open(): Promise<Session> {
    const { heartbeat } = this.pools;
    if (heartbeat.refusal) throw heartbeat.refusal;
    heartbeat.watch(this);
    try {
      const session = await super.open();
      this.pools.connected(session);
      return session;
    } catch (error) {
      heartbeat.connectionFailed(this, error);
      throw error;
    }
  }

  protected override answered(seconds: number, failure: Error | null | undefined): void {
    this.pools.answered(seconds, failure);
  }
}

/** A connection that is no longer trusted is closed: the pool keeps none that ends. */
function closeUntrusted(_error: unknown, given: PoolClient): void {
  const client = given as Pooled;
  client.isBusy = false;
  if (!client.isTrusted) void client.end();
}
