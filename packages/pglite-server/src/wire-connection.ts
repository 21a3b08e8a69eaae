import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { SessionClient } from './session-client';
import type { SharedSession } from './shared-session';
import {
  ASK_PASSWORD,
  CANCEL_REQUEST,
  fatalError,
  GSS_ENCRYPTION_REQUEST,
  MessageReader,
  SSL_REQUEST,
} from './wire-messages';

const SIGN_IN_TIMEOUT_MS = 10_000;
const HANG_UP_TIMEOUT_MS = 1_000;
const TERMINATE = 'X'.charCodeAt(0);
const PASSWORD = 'p'.charCodeAt(0);

/** One connection to the embedded database, from its first byte to its last. */
export class WireConnection {
  /** Settles when the connection has closed and the session is clean. */
  readonly left: Promise<void>;
  private readonly reader = new MessageReader();
  private stage: 'startup' | 'password' | 'signed in' | 'hung up' = 'startup';
  private client: SessionClient | undefined;
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: Socket,
    private readonly password: string,
    private readonly session: Promise<SharedSession>,
    private readonly idleTransactionMs: number,
  ) {
    socket.setNoDelay(true);
    socket.setTimeout(SIGN_IN_TIMEOUT_MS);
    socket.on('timeout', () => this.giveUp());
    socket.on('data', (chunk: Buffer) => {
      this.reader.push(chunk);
      this.work = this.work.then(() => this.answerAll());
    });
    // Every error is followed by `close`, which is handled.
    socket.on('error', () => undefined);
    this.left = new Promise((resolve) =>
      socket.once('close', () => resolve(this.work.then(() => this.client?.leave()).catch(() => undefined))),
    );
  }

  /** Answers statements that have arrived, then disconnects. Uncommitted changes are rolled back. */
  async end(): Promise<void> {
    await Promise.race([this.work, this.left]);
    this.hangUp('57P01', 'terminating connection due to administrator command');
    await this.left;
  }

  private async answerAll(): Promise<void> {
    try {
      for (let message = this.nextMessage(); message !== undefined; message = this.nextMessage()) {
        if (this.stage === 'startup') this.answerStartup(message);
        else if (this.stage === 'password') await this.checkPassword(message);
        else if (message[0] === TERMINATE) this.socket.end();
        else await this.answer(message);
      }
    } catch (error) {
      this.hangUp('XX000', error instanceof Error ? error.message : String(error));
    }
  }

  private nextMessage(): Buffer | undefined {
    if (this.stage === 'hung up') return undefined;
    return this.stage === 'startup' ? this.reader.takeUntyped() : this.reader.takeTyped(this.stage === 'signed in');
  }

  private answerStartup(message: Buffer): void {
    const request = message.length < 8 ? CANCEL_REQUEST : message.readInt32BE(4);
    // The session runs one statement at a time, and cannot receive a cancellation meanwhile.
    if (request === CANCEL_REQUEST) this.socket.end();
    else if (request === SSL_REQUEST || request === GSS_ENCRYPTION_REQUEST) this.socket.write('N');
    else {
      this.socket.write(ASK_PASSWORD);
      this.stage = 'password';
    }
  }

  private async checkPassword(message: Buffer): Promise<void> {
    const given = message.toString('utf8', 5, message.length - 1);
    if (message[0] !== PASSWORD || !timingSafeEqual(digest(given), digest(this.password))) {
      this.hangUp('28P01', 'password authentication failed');
      return;
    }
    this.socket.setTimeout(0);
    const session = await this.session;
    this.client = new SessionClient(session, (bytes) => this.socket.write(Buffer.from(bytes)));
    this.stage = 'signed in';
    this.socket.write(session.greeting);
  }

  private async answer(message: Buffer): Promise<void> {
    this.socket.setTimeout(0);
    this.socket.cork();
    await this.client?.handle(message);
    this.socket.uncork();
    // A process that is stopped in a transaction would have the only session for ever.
    if (this.client?.hasSession) this.socket.setTimeout(this.idleTransactionMs);
  }

  private giveUp(): void {
    if (this.stage === 'signed in') this.hangUp('25P03', 'terminating connection due to idle-in-transaction timeout');
    else this.socket.destroy();
  }

  private hangUp(sqlState: string, reason: string): void {
    if (this.stage === 'hung up') return;
    this.stage = 'hung up';
    if (this.socket.destroyed) return;
    // The answer may wait for a client that has stopped reading.
    this.socket.setTimeout(HANG_UP_TIMEOUT_MS);
    this.socket.write(fatalError(sqlState, reason));
    this.socket.destroySoon();
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
