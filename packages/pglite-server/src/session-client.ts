import type { SharedSession, BorrowedSession } from './shared-session';
import { withoutCopyIn } from './wire-messages';

/** Query, Sync and FunctionCall end a batch: after the answer, the batch of another client may run. */
const ENDS_BATCH = new Set(['Q', 'S', 'F']);
/** Requests the answers so far, in the middle of a batch. */
const FLUSH = 'H';

/** A signed-in client. It collects messages into batches, and runs each batch in a session that it borrows for it. */
export class SessionClient {
  private batch: Buffer[] = [];
  private borrowed: BorrowedSession | undefined;

  constructor(
    private readonly session: SharedSession,
    private readonly onAnswer: (bytes: Uint8Array) => void,
  ) {
    session.join();
  }

  /** Takes one message. The session is borrowed only when a batch is complete, so a slow client blocks no other client. */
  async handle(message: Buffer): Promise<void> {
    this.batch.push(withoutCopyIn(message));
    const type = String.fromCharCode(message[0]!);
    if (!ENDS_BATCH.has(type) && type !== FLUSH) return;
    const batch = Buffer.concat(this.batch);
    this.batch = [];
    this.borrowed ??= await this.session.borrow();
    await this.borrowed.run(batch, this.onAnswer);
    if (type === FLUSH || this.borrowed.inTransaction) return;
    this.borrowed.release();
    this.borrowed = undefined;
  }

  /** Whether all other clients wait for this one. */
  get hasSession(): boolean {
    return this.borrowed !== undefined;
  }

  /** Rolls back the client's open transaction, and frees the session. */
  async leave(): Promise<void> {
    try {
      await this.borrowed?.abandon();
    } finally {
      this.session.leave();
    }
  }
}
