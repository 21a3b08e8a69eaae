import type { DatabaseBounds } from './database-bounds';
import { DatabaseAwayError } from './database-errors';

/** The right of one request to use a connection until it releases the slot. */
export interface Slot {
  /** Gives the connection to the next request. A second call has no effect. */
  release(): void;
}

/** What it needs of the `ConnectionPools`. */
interface Pools {
  readonly bounds: Pick<DatabaseBounds, 'queue' | 'queueMs'>;
  readonly heartbeat: { readonly refusal: Error | undefined };
  /** Work without a caller can wait in the pools, and so can requests that have a slot. */
  readonly use: { readonly waiting: number };
  refused: number;
}

interface Waiter {
  caller: string;
  timer: NodeJS.Timeout;
  start(): void;
  refuse(error: DatabaseAwayError): void;
}

/**
 * Shares the connections of the pool among callers, so that none keeps the others waiting. There are as many slots as
 * connections, so requests queue here instead of in the pool, where it is unknown whose they are.
 *
 * A caller holds at most half of the slots while others wait. Alone, it can hold all but one: then the first request of
 * the next caller does not depend on what those of the crowd wait for. Callers with waiting requests are served in
 * rotation.
 */
export class ConnectionSlots {
  /** The number of waiting requests. */
  waiting = 0;
  private free: number;
  private readonly half: number;
  /** The slots that each caller holds. */
  private readonly held = new Map<string, number>();
  /** The waiting requests of each caller, in the order in which callers are served. */
  private readonly queues = new Map<string, Waiter[]>();

  constructor(
    connections: number,
    private readonly pools: Pools,
  ) {
    this.free = connections;
    this.half = Math.max(1, Math.floor(connections / 2));
  }

  /** @throws DatabaseAwayError if too many wait already, or for too long, or if waiting is pointless */
  async acquire(caller: string): Promise<Slot> {
    if (this.mayStart(caller)) this.start(caller);
    else await this.wait(caller);
    let isHeld = true;
    return {
      release: () => {
        if (isHeld) this.release(caller);
        isHeld = false;
      },
    };
  }

  private mayStart(caller: string): boolean {
    if (this.free === 0) return false;
    const isAlone = this.queues.size === (this.queues.has(caller) ? 1 : 0);
    return this.heldBy(caller) < this.half || (isAlone && this.free > 1);
  }

  private heldBy(caller: string): number {
    return this.held.get(caller) ?? 0;
  }

  private start(caller: string): void {
    this.free -= 1;
    this.held.set(caller, this.heldBy(caller) + 1);
  }

  private release(caller: string): void {
    this.free += 1;
    const left = this.heldBy(caller) - 1;
    if (left > 0) this.held.set(caller, left);
    else this.held.delete(caller);
    this.serve();
  }

  private async wait(caller: string): Promise<void> {
    const { bounds, heartbeat } = this.pools;
    if (heartbeat.refusal) throw heartbeat.refusal;
    await new Promise<void>((start, refuse) => {
      const timer = setTimeout(() => this.refuse(waiter, 'it waited too long'), bounds.queueMs).unref();
      const waiter: Waiter = { caller, timer, start, refuse };
      const queue = this.queues.get(caller);
      if (queue) queue.push(waiter);
      else this.queues.set(caller, [waiter]);
      this.waiting += 1;
      if (this.waiting + this.pools.use.waiting > bounds.queue)
        this.refuse(this.newestOfCrowd(waiter), 'too many wait');
    });
  }

  /** The newest request of the caller that has the most. `newest` is refused if nobody else has more. */
  private newestOfCrowd(newest: Waiter): Waiter {
    let crowd = this.queues.get(newest.caller) ?? [];
    for (const queue of this.queues.values()) if (queue.length > crowd.length) crowd = queue;
    return crowd.at(-1) ?? newest;
  }

  private refuse(waiter: Waiter, why: string): void {
    const rest = (this.queues.get(waiter.caller) ?? []).filter((other) => other !== waiter);
    if (rest.length > 0) this.queues.set(waiter.caller, rest);
    else this.queues.delete(waiter.caller);
    this.end(waiter);
    this.pools.refused += 1;
    waiter.refuse(new DatabaseAwayError(`a request got no connection to the database: ${why}`));
  }

  private serve(): void {
    for (const [caller, [first, ...rest]] of this.queues) {
      if (first === undefined || !this.mayStart(caller)) continue;
      this.queues.delete(caller);
      // Behind the others, which are served before this caller again.
      if (rest.length > 0) this.queues.set(caller, rest);
      this.end(first);
      this.start(caller);
      first.start();
      return this.serve();
    }
  }

  private end({ timer }: Waiter): void {
    clearTimeout(timer);
    this.waiting -= 1;
  }
}
