import { Pool } from 'pg';
import type { Config } from '../config/config';
import { BoundedPools } from './bounded-pools';
import { DatabaseServers } from './database-servers';

const REST_MS = 5_000;

/** One replica of the database, with its own connections and the same bounds as all others. */
export class Replica {
  private readonly pools: BoundedPools;
  private readonly pool: Pool;
  private restsUntil = 0;

  constructor(url: string, config: Config) {
    const { databaseBounds: bounds, databasePasswords: passwords, databasePreparedStatements: prepares } = config;
    const purpose = { mustWrite: false, connectMs: bounds.connectMs, bounds, prepares };
    this.pools = new BoundedPools(new DatabaseServers({ url, passwords }), bounds, purpose);
    this.pool = new (this.pools.driver().Pool)({ max: config.databasePoolSize });
  }

  get usable(): boolean {
    return this.pools.heartbeat.trouble === undefined && performance.now() >= this.restsUntil;
  }

  start(): void {
    void this.pools.heartbeat.start();
  }

  /** After any failure, including a missing table, the replica rests for a while. */
  async query<Row extends object>(statement: string, parameters: unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(statement, parameters)).rows;
    } catch (error) {
      this.restsUntil = performance.now() + REST_MS;
      throw error;
    }
  }

  /** The heartbeat stops last: it fails statements that wait for a silent replica. */
  async close(): Promise<void> {
    await this.pool.end();
    this.pools.heartbeat.stop();
  }
}
