/**
 * The keys that are kept, which take about 20 MB. An attacker can have any number of IPv6 networks, and a window can
 * last a day.
 */
export const MAX_KEYS = 250_000;

/**
 * Counts by key in consecutive windows of time. All counts are reset at the end of a window, and before there would be
 * too many keys. Then each caller gets its whole share again; no caller is refused because of the addresses of others.
 */
export class WindowCounter {
  private window = -1;
  private counts = new Map<string, number>();

  constructor(private readonly windowMs: number) {}

  /** The number of keys. */
  get size(): number {
    return this.counts.size;
  }

  add(key: string): { count: number; secondsLeft: number } {
    const now = Date.now();
    const window = Math.floor(now / this.windowMs);
    if (window !== this.window || (this.counts.size === MAX_KEYS && !this.counts.has(key))) {
      this.window = window;
      this.counts = new Map();
    }
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return { count, secondsLeft: Math.ceil(((window + 1) * this.windowMs - now) / 1000) };
  }
}
