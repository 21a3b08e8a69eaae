import { Pool } from 'pg';
import type { DatabaseBounds } from '../config/bounds';
import { connectionOf } from './data-source';
import { DatabaseHeartbeat } from './database-heartbeat';
import { WatchedPools } from './watched-pool';

/** How long a replica that failed is left alone. */
const REST_MS = 5_000;

/** One replica of the database, with connections of its own that have the bounds of all others. */
export class Replica {
  private readonly watch: DatabaseHeartbeat;
  private readonly pool: Pool;
  private restsUntil = 0;

  constructor(url: string, poolSize: number, bounds: DatabaseBounds) {
    const config = connectionOf({ url });
    this.watch = new DatabaseHeartbeat(config);
    const driver = new WatchedPools(this.watch, bounds).driver(true);
    this.pool = new driver.Pool({ ...config, max: poolSize });
    // Told of a connection that breaks while nobody uses it; untold, the process would end.
    this.pool.on('error', () => undefined);
  }

  /** Whether it is worth asking. */
  get usable(): boolean {
    return this.watch.answering && performance.now() >= this.restsUntil;
  }

  start(): void {
    this.watch.start();
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

  /** The watch goes last: it sets free whoever would wait for a replica that is silent. */
  async close(): Promise<void> {
    await this.pool.end();
    this.watch.stop();
  }
}
