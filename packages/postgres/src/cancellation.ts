import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConnectionPools } from './connection-pools';
import { ReservedStatements } from './statements';

const AGAIN_MS = 50;

/** Nobody waits for a unit of work any more. */
export class GoneError extends Error {
  constructor() {
    super('the caller has gone');
  }
}

/** Cancels the statements of a transaction whose caller has gone, so that it waits for no lock and holds none. */
@Injectable()
export class Cancellation {
  constructor(
    private readonly reserved: ReservedStatements,
    private readonly pools: ConnectionPools,
  ) {}

  /**
   * @param pid the server process of the transaction
   * @throws GoneError if the caller has gone before, otherwise the error of the cancelled statement
   */
  async during<T>(pid: number, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (gone.aborted) throw new GoneError();
    let isOver = false;
    let cancelled: Promise<unknown> | undefined;
    // Between two statements of the transaction there is nothing to cancel.
    const cancel = async (): Promise<void> => {
      for (; !isOver; await delay(AGAIN_MS)) {
        await this.reserved.query('SELECT pg_cancel_backend($1)', [pid]).catch(() => undefined);
      }
    };
    const begin = (): void => void (cancelled = cancel());
    // Where there is one session, a cancellation would wait for the transaction that it is to end.
    if (!this.pools.haveOneSession) gone.addEventListener('abort', begin, { once: true });
    try {
      return await work();
    } finally {
      isOver = true;
      gone.removeEventListener('abort', begin);
      // Until the signal has arrived, the connection is not given to anybody else, whose statement it would end.
      await cancelled;
    }
  }
}
