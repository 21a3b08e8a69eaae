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

/** A memory for one process. It drops deliveries that are so old that their time stamp would be refused. */
export class ProcessMemory implements DeliveryMemory {
  private readonly running = new Set<string>();
  /** Ids of handled deliveries with the time to forget them, oldest first. */
  private readonly handled = new Map<string, number>();

  constructor(private readonly keepMs: number) {}

  async once(id: string, handle: () => Promise<void>): Promise<Handling> {
    this.forget();
    if (this.handled.has(id)) return 'repeated';
    if (this.running.has(id)) return 'running';
    this.running.add(id);
    try {
      await handle();
      this.handled.set(id, performance.now() + this.keepMs);
      return 'handled';
    } finally {
      this.running.delete(id);
    }
  }

  private forget(): void {
    for (const [id, until] of this.handled) {
      if (until > performance.now()) return;
      this.handled.delete(id);
    }
  }
}
