import type { ThrottlerStorage } from '@nestjs/throttler';

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts requests in windows of time that follow each other: a number for each key, forgotten together at the end of the
 * window. The library's own storage keeps the moment of every request, and looks through all of them at each.
 */
export class WindowCounters implements ThrottlerStorage {
  private readonly windows = new Map<string, { number: number; counts: Map<string, number> }>();

  increment(key: string, ttl: number, limit: number, _blockDuration: number, name: string): Promise<Count> {
    const now = Date.now();
    const number = Math.floor(now / ttl);
    let window = this.windows.get(name);
    if (window?.number !== number) {
      window = { number, counts: new Map() };
      this.windows.set(name, window);
    }
    const totalHits = (window.counts.get(key) ?? 0) + 1;
    window.counts.set(key, totalHits);
    const timeToExpire = Math.ceil(((number + 1) * ttl - now) / 1000);
    return Promise.resolve({ totalHits, timeToExpire, isBlocked: totalHits > limit, timeToBlockExpire: timeToExpire });
  }
}
