import type { SharedSession, Turn } from './shared-session';
import { withoutCopyIn } from './wire-messages';

/** Query, Sync and FunctionCall end a batch: after the answer, the batch of another client may run. */
const ENDS_BATCH = new Set(['Q', 'S', 'F']);
/** Requests the answers so far, in the middle of a batch. */
const FLUSH = 'H';

/** A signed-in client. It collects messages into batches, and runs each batch in a turn of its own. */
export class SessionClient {
  private batch: Buffer[] = [];
  private turn: Turn | undefined;

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
    this.turn ??= await this.session.borrow();
    await this.turn.run(batch, this.onAnswer);
    if (type === FLUSH || this.turn.inTransaction) return;
    this.turn.end();
    this.turn = undefined;
  }

  /** Whether all other clients wait for this one. */
  get hasSession(): boolean {
    return this.turn !== undefined;
  }

  /** Rolls back the client's open transaction, and frees the session. */
  async leave(): Promise<void> {
    try {
      await this.turn?.abandon();
    } finally {
      this.session.leave();
    }
  }
}
