import { DELIVERY_POLICY, retryDelayMs } from '../../src/plugins/webhooks/delivery-policy';

const DAY = 24 * 3_600_000;

/** The delays after each failure, until it is given up. */
function delays(random: () => number): number[] {
  const found: number[] = [];
  for (let attempts = 1, ageMs = 0; ; attempts++) {
    const delay = retryDelayMs({ attempts, ageMs }, DELIVERY_POLICY, random);
    if (delay === undefined) return found;
    found.push(delay);
    ageMs += delay;
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe('the delays between attempts', () => {
  it('grow to days, with any random factor', () => {
    const longest = delays(() => 1);
    const shortest = delays(() => 0);
    expect(longest).toEqual(longest.toSorted((a, b) => a - b));
    expect([longest.length, shortest.length]).toEqual([11, 11]);
    expect(longest[0]).toBe(5_000);
    expect(sum(longest) / DAY).toBeCloseTo(4.5, 1);
    expect(sum(shortest) / DAY).toBeGreaterThan(2);
  });

  it('are shortened at random, by at most half', () => {
    const drawn = Array.from({ length: 200 }, () => retryDelayMs({ attempts: 5, ageMs: 0 }, DELIVERY_POLICY) ?? 0);
    expect(new Set(drawn).size).toBeGreaterThan(100);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1_800_000);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(3_600_000);
  });

  it.each([
    ['shorter than the delay', 1_000, 5_000],
    ['longer', 60_000, 60_000],
    ['longer than a day', 400 * DAY, DAY],
  ])('follow Retry-After, when that is %s', (_, retryAfterMs, expected) => {
    expect(retryDelayMs({ attempts: 1, ageMs: 0, retryAfterMs }, DELIVERY_POLICY, () => 1)).toBe(expected);
  });

  it('end after five days, even if attempts are left', () => {
    const tried = { attempts: 1, retryAfterMs: 1_000 };
    expect(retryDelayMs({ ...tried, ageMs: 5 * DAY - 1 }, DELIVERY_POLICY)).toBeDefined();
    expect(retryDelayMs({ ...tried, ageMs: 5 * DAY }, DELIVERY_POLICY)).toBeUndefined();
  });

  it('leave a lease that is much longer than an attempt', () => {
    expect(DELIVERY_POLICY.leaseMs).toBeGreaterThanOrEqual(2 * DELIVERY_POLICY.timeoutMs);
    expect(DELIVERY_POLICY.timeoutMs).toBe(15_000);
  });
});
