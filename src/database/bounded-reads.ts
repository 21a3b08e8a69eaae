import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ExpectedError } from '../contract/expected-error';
import { ConnectionPools } from './connection-pools';
import { DATABASE, type OpenedDatabase } from './open-database';
import { databaseCode } from './sql-errors';
import { type Queryable, ReservedStatements } from './statements';

const CANCELLED = '57014';

/** A read was ended because it took too long, or because nobody waits for it any more. */
export class EndedReadError extends ExpectedError {}

/** Runs reads whose cost the caller's own text decides: each ends after a short time, and with its request. */
@Injectable()
export class BoundedReads {
  private readonly canCancel: boolean;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pools: ConnectionPools,
    private readonly reserved: ReservedStatements,
    @Inject(DATABASE) { embedded }: OpenedDatabase,
  ) {
    // The embedded database has one session, in this process.
    this.canCancel = !embedded;
  }

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
        return this.cancellable(pid, gone, () => read(manager));
      });
    } catch (error) {
      if (databaseCode(error) !== CANCELLED) throw error;
      throw new EndedReadError(gone.aborted ? 'the caller has gone' : `it took longer than ${limit} ms`, {
        cause: error,
      });
    }
  }

  private async cancellable<T>(pid: number, gone: AbortSignal, read: () => Promise<T>): Promise<T> {
    let cancelled: Promise<unknown> | undefined;
    const cancel = (): void => {
      cancelled = this.reserved.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
    };
    if (gone.aborted) throw new EndedReadError('the caller has gone');
    if (this.canCancel) gone.addEventListener('abort', cancel, { once: true });
    try {
      return await read();
    } finally {
      gone.removeEventListener('abort', cancel);
      // Until the signal has arrived, the connection is not given to anybody else, whose statement it would end.
      await cancelled;
    }
  }
}
