/** The outcome of a delivery. */
export type Handling =
  /** The delivery was new, and has now been handled. Answer with success. */
  | 'handled'
  /** The delivery was handled before. Answer with success; otherwise the service sends it again. */
  | 'repeated'
  /** The delivery is being handled at the moment. Answer with an error, so that the service sends it again later. */
  | 'running';

/**
 * Remembers which deliveries were handled. The service delivers each event at least once, and an attacker can replay a recorded delivery.
 * Several receiving processes need a shared memory, such as a table with a unique column.
 *
 * @example
 * class TableMemory implements DeliveryMemory {
 *   async once(id: string, handle: () => Promise<void>): Promise<Handling> {
 *     return this.database.transaction(async (rows) => {
 *       if (!(await rows.insertUnlessThere(id))) return 'repeated';
 *       await handle();
 *       return 'handled';
 *     });
 *   }
 * }
 */
export interface DeliveryMemory {
  /**
   * Handles a delivery unless it was handled before. A delivery whose handling failed counts as new.
   *
   * @throws the error of `handle`
   */
  once(id: string, handle: () => Promise<void>): Promise<Handling>;
}

/** Longer than the service retries a delivery: for five days, and one more pause of at most a day. Each attempt has a new time stamp. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1_000;
/** Takes about 15 MB. */
const KEEP_COUNT = 100_000;

/** A memory for one process. It keeps a limited number of deliveries, and those that could be replayed by an attacker in any number. */
export class ProcessMemory implements DeliveryMemory {
  private readonly running = new Set<string>();
  /** Ids of handled deliveries with the time of their handling, oldest first. */
  private readonly handled = new Map<string, number>();

  /** @param replayableMs how long the time stamp of a recorded delivery can be accepted */
  constructor(private readonly replayableMs: number) {}

  async once(id: string, handle: () => Promise<void>): Promise<Handling> {
    this.forget();
    if (this.handled.has(id)) return 'repeated';
    if (this.running.has(id)) return 'running';
    this.running.add(id);
    try {
      await handle();
      this.handled.set(id, performance.now());
      return 'handled';
    } finally {
      this.running.delete(id);
    }
  }

  private forget(): void {
    for (const [id, handledAt] of this.handled) {
      const age = performance.now() - handledAt;
      if (age < this.replayableMs) return;
      if (age < KEEP_MS && this.handled.size <= KEEP_COUNT) return;
      this.handled.delete(id);
    }
  }
}
