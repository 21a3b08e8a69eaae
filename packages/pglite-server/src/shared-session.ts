import type { PGlite } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { PLAIN_STARTUP, SYNC } from './wire-messages';

/**
 * PGlite has one session, which all clients share. One client at a time has it, in order of arrival, from the first
 * message of a batch until the batch is answered and no transaction is open. So transactions are isolated from other
 * clients, and no client can replace another's unnamed statement between Parse and Bind.
 *
 * Session state that outlives a transaction (`SET`, `LISTEN`, named statements, session-level advisory locks, temporary
 * tables) is shared by all connected clients, and is reset when the last one disconnects.
 */
export class SharedSession {
  private lastReturn: Promise<void> = Promise.resolve();
  private clients = 0;
  private stale = false;

  private constructor(
    private readonly engine: PGlite,
    /** PostgreSQL's greeting to a client that has signed in. It is cached, so that signing in never waits for a transaction. */
    readonly greeting: Buffer,
  ) {}

  static async start(engine: PGlite): Promise<SharedSession> {
    const greeting: Buffer[] = [];
    await engine.execProtocolRawStream(PLAIN_STARTUP, { onRawData: (bytes) => greeting.push(Buffer.from(bytes)) });
    return new SharedSession(engine, Buffer.concat(greeting));
  }

  join(): void {
    if (this.clients === 0) this.stale = true;
    this.clients += 1;
  }

  leave(): void {
    this.clients -= 1;
  }

  /** Waits until the session is free. The borrower must release it. */
  async borrow(): Promise<BorrowedSession> {
    const previous = this.lastReturn;
    let release!: () => void;
    this.lastReturn = new Promise((resolve) => (release = resolve));
    await previous;
    if (this.stale) await this.engine.exec('DISCARD ALL');
    this.stale = false;
    return new BorrowedSession(this.engine, release);
  }

  async snapshot(): Promise<Blob> {
    const session = await this.borrow();
    try {
      await this.engine.exec('CHECKPOINT');
      return await this.engine.dumpDataDir('none');
    } finally {
      session.release();
    }
  }
}

/** The session while one client has it to itself. */
export class BorrowedSession {
  constructor(
    private readonly engine: PGlite,
    /** Gives the session to the next client. Call it only between transactions. */
    readonly release: () => void,
  ) {}

  get inTransaction(): boolean {
    return this.engine.isInTransaction();
  }

  /** Runs complete messages. The chunks of the answer are valid only during the call. */
  async run(messages: Buffer, onAnswer: (bytes: Uint8Array) => void): Promise<void> {
    await this.engine.execProtocolRawStream(messages, { onRawData: onAnswer });
  }

  /** Releases the session of a client that disconnected, perhaps in the middle of a batch or a transaction. */
  async abandon(): Promise<void> {
    try {
      await this.run(SYNC, () => undefined);
      if (this.inTransaction) await this.engine.exec('ROLLBACK');
    } finally {
      this.release();
    }
  }
}
