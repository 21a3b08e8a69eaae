import { Pool } from 'pg';
import type { Config } from '../config/config';
import { BoundedPools } from './bounded-pools';
import { DatabaseHeartbeat } from './database-heartbeat';
import { DatabaseServers } from './database-servers';

/** How long a replica that failed is left alone. */
const REST_MS = 5_000;

/** One replica of the database, with connections of its own that have the bounds of all others. */
export class Replica {
  private readonly heartbeat: DatabaseHeartbeat;
  private readonly pool: Pool;
  private restsUntil = 0;

  constructor(url: string, config: Config) {
    const { databaseBounds: bounds, databasePasswords: passwords, databasePreparedStatements: prepares } = config;
    const servers = new DatabaseServers({ url, passwords });
    this.heartbeat = new DatabaseHeartbeat(servers, bounds, false);
    const purpose = { mustWrite: false, connectMs: bounds.connectMs, bounds, prepares };
    const driver = new BoundedPools(this.heartbeat, servers, bounds, purpose).driver();
    this.pool = new driver.Pool({ max: config.databasePoolSize });
    // Without this listener, a connection that breaks while nobody uses it would end the process.
    this.pool.on('error', () => undefined);
  }

  /** Whether it is worth asking. */
  get usable(): boolean {
    return this.heartbeat.trouble === undefined && performance.now() >= this.restsUntil;
  }

  start(): void {
    void this.heartbeat.start();
  }

  /** Whatever fails, also for a schema that is not here yet, has it left alone for a while. */
  async query<Row extends object>(statement: string, parameters: unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(statement, parameters)).rows;
    } catch (error) {
      this.restsUntil = performance.now() + REST_MS;
      throw error;
    }
  }

  /** The heartbeat goes last: it sets free whoever waits for a replica that is silent. */
  async close(): Promise<void> {
    await this.pool.end();
    this.heartbeat.stop();
  }
}
