import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Cancellation, GoneError } from './cancellation';
import { ConnectionPools } from './connection-pools';
import { databaseCode } from './sql-errors';
import type { Queryable } from './statements';

const CANCELLED = '57014';

/** A read was ended because it took too long, or because nobody waits for it any more. */
export class EndedReadError extends Error {}

/** Runs reads whose cost the caller's own text decides: each ends after a short time, and with its request. */
@Injectable()
export class BoundedReads {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pools: ConnectionPools,
    private readonly cancellation: Cancellation,
  ) {}

  /**
   * @param gone when to cancel the statement that runs
   * @throws EndedReadError
   */
  async run<T>(milliseconds: number, gone: AbortSignal, read: (sender: Queryable) => Promise<T>): Promise<T> {
    const { statementMs } = this.pools.bounds;
    const limit = String(statementMs === 0 ? milliseconds : Math.min(statementMs, milliseconds));
    try {
      return await this.dataSource.transaction(async (manager) => {
        const [{ pid }] = await manager.query<[{ pid: number }]>(
          `SELECT set_config('statement_timeout', $1, true), pg_backend_pid() AS pid`,
          [limit],
        );
        return this.cancellation.during(pid, gone, () => read(manager));
      });
    } catch (error) {
      if (!(error instanceof GoneError) && databaseCode(error) !== CANCELLED) throw error;
      throw new EndedReadError(gone.aborted ? 'the caller has gone' : `it took longer than ${limit} ms`, {
        cause: error,
      });
    }
  }
}
