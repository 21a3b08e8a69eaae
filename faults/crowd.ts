import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const TICK_MS = 10;

/** What a connection does. Nothing is read from it unless this resumes it. */
export type Behaviour = (socket: Socket) => void;

/**
 * Many connections. Each that is closed is replaced, at a bounded rate; a connection that does not read never notices that it has been
 * closed.
 */
export class Crowd {
  /** Connections that were made. */
  opened = 0;
  private readonly open = new Set<Socket>();
  private isLeaving = false;
  private readonly coming: Promise<void>;

  /** @param behaviours taken in turn */
  constructor(
    private readonly port: number,
    private readonly size: number,
    private readonly perSecond: number,
    private readonly behaviours: readonly Behaviour[],
  ) {
    this.coming = this.come();
  }

  /** Connections that are open now. */
  get count(): number {
    return this.open.size;
  }

  /** Resolves once all have left. */
  async leave(): Promise<void> {
    this.isLeaving = true;
    await this.coming;
    await Promise.all(
      [...this.open].map((socket) => {
        const closed = once(socket, 'close');
        socket.destroy();
        return closed;
      }),
    );
  }

  private async come(): Promise<void> {
    const began = performance.now();
    while (!this.isLeaving) {
      const due = ((performance.now() - began) / 1_000) * this.perSecond;
      while (this.open.size < this.size && this.opened < due) this.add();
      await delay(TICK_MS);
    }
  }

  private add(): void {
    const behave = this.behaviours[this.opened++ % this.behaviours.length] as Behaviour;
    const socket = connect(this.port, '127.0.0.1');
    this.open.add(socket);
    // The service may reset it.
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
    socket.pause();
    socket.once('connect', () => behave(socket));
  }
}
