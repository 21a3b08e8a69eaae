/** Counts by key in consecutive windows of time. All counts are reset at the end of a window. */
export class WindowCounter {
  private window = -1;
  private counts = new Map<string, number>();

  constructor(private readonly windowMs: number) {}

  /** Adds one. */
  add(key: string): { count: number; secondsLeft: number } {
    const now = Date.now();
    const window = Math.floor(now / this.windowMs);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return { count, secondsLeft: Math.ceil(((window + 1) * this.windowMs - now) / 1000) };
  }
}
