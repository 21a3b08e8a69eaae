import type { DatabaseConfig } from '../config/database.config';
import { ConnectionPool, ConnectionPools } from './connection-pools';

const REST_MS = 5_000;

/** One replica of the database, with its own connections and the same bounds as all others. */
export class Replica {
  private readonly pools: ConnectionPools;
  private readonly pool: ConnectionPool;
  private restsUntil = 0;

  constructor(url: string, config: DatabaseConfig) {
    this.pools = new ConnectionPools({ url, passwords: config.databasePasswords, mustWrite: false }, config);
    this.pool = new ConnectionPool({ max: config.databasePoolSize, pools: this.pools });
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
