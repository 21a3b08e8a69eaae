/** How a delivery was met. */
export type Handling =
  /** It was new, and has been handled. */
  | 'handled'
  /** It was handled before. Answer with success, or it comes again. */
  | 'repeated'
  /** It is being handled at this moment. Answer with a failure, so that it comes again later. */
  | 'running';

/**
 * Remembers which deliveries were handled. The service sends each at least once, and an attacker may send one again that was
 * overheard. Where several processes receive, they need a memory in common, such as a table with a unique column.
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
   * Handles a delivery unless it was handled before. One whose handling failed is new again.
   *
   * @throws whatever `handle` throws
   */
  once(id: string, handle: () => Promise<void>): Promise<Handling>;
}

/** The memory of one process. It forgets what is too old to be accepted again by its signature. */
export class ProcessMemory implements DeliveryMemory {
  private readonly running = new Set<string>();
  /** Until when each is remembered, the oldest first. */
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
