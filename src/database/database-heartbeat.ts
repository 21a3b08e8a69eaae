import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { DatabaseAwayError, isFull, isRefusedConnection } from './sql-errors';

const BEAT_MS = 500;
/** Beats without a sign of life before the database counts as silent: three seconds, and then two for each new attempt. */
const PATIENCE = 6;
const PATIENCE_WHEN_SILENT = 4;

/**
 * Tells a database that is silent (frozen, or behind a network that drops what is sent) from one that is busy, by asking it
 * a trifle on a connection of its own. A statement may take long; but when nothing at all comes back any more, whoever waits is
 * set free at once, and whoever comes is refused, until it speaks again.
 *
 * Patience is counted in turns of the event loop, not in time: a process that was itself too busy to listen blames nobody.
 */
export class DatabaseHeartbeat {
  private readonly clients = new Set<Client>();
  private beating: NodeJS.Timeout | undefined;
  private asker: Client | undefined;
  private asking = false;
  private unanswered = 0;
  private bytesHeard = 0;
  private isSilent = false;
  private isAnswering = false;

  constructor(private readonly config: ClientConfig) {}

  /** Begins to ask. Until then nothing is known of the database, and nobody is refused. */
  start(): void {
    this.beating = setInterval(() => this.beat(), BEAT_MS).unref();
    this.beat();
  }

  stop(): void {
    clearInterval(this.beating);
    this.beating = undefined;
    hangUp(this.asker);
    this.asker = undefined;
  }

  /** Whether the database answered when it was last asked. */
  get answering(): boolean {
    return this.isAnswering && !this.isSilent;
  }

  /** What whoever asks for a connection is to be refused with, if they are. */
  get refusal(): DatabaseAwayError | undefined {
    return this.isSilent ? new DatabaseAwayError('the database does not answer') : undefined;
  }

  /** Takes a connection under watch, from before it is made. */
  add(client: Client): void {
    this.clients.add(client);
  }

  remove(client: Client): void {
    this.clients.delete(client);
  }

  private beat(): void {
    if (!this.asking) {
      this.unanswered = 0;
      void this.ask();
      return;
    }
    this.unanswered = this.hearsAnything() ? 0 : this.unanswered + 1;
    if (this.unanswered < (this.isSilent ? PATIENCE_WHEN_SILENT : PATIENCE)) return;
    this.isSilent = true;
    for (const client of [...this.clients, this.asker]) hangUp(client);
  }

  private async ask(): Promise<void> {
    this.asking = true;
    try {
      const asker = (this.asker ??= await this.connect());
      await asker.query('SELECT 1');
      this.isAnswering = true;
      this.isSilent = false;
    } catch (error) {
      hangUp(this.asker);
      this.asker = undefined;
      // Without room for one more it answers all the same; and who says no is not silent.
      this.isAnswering = isFull(error);
      if (isRefusedConnection(error)) this.isSilent = false;
    }
    this.asking = false;
  }

  private async connect(): Promise<Client> {
    const asker = new Client(this.config);
    // The end follows every error.
    asker.on('error', () => undefined);
    asker.on('end', () => (this.isAnswering = false));
    this.asker = asker;
    await asker.connect();
    return asker;
  }

  /** Whatever comes in on any connection is a sign of life, be it part of a long answer. */
  private hearsAnything(): boolean {
    const before = this.bytesHeard;
    this.bytesHeard = [...this.clients].reduce(
      (sum, { connection }) => sum + (connection.stream as Socket).bytesRead,
      0,
    );
    return this.bytesHeard > before;
  }
}

/** Without a word: nobody would hear it. What waits on this connection fails. */
function hangUp(client: Client | undefined): void {
  (client?.connection.stream as Socket | undefined)?.destroy();
}
