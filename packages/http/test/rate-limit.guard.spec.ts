import { MAX_KEYS, WindowCounter } from '../src/rate-limit.guard';

const MINUTE = 60_000;

afterEach(() => jest.useRealTimers());

describe('WindowCounter', () => {
  it('counts each key separately, and starts again with each window', () => {
    jest.useFakeTimers({ now: 10 * MINUTE });
    const counter = new WindowCounter(MINUTE);
    expect(counter.add('one')).toEqual({ count: 1, secondsLeft: 60 });
    counter.add('one');
    jest.advanceTimersByTime(MINUTE - 1);
    expect(counter.add('one')).toEqual({ count: 3, secondsLeft: 1 });
    expect(counter.add('other')).toEqual({ count: 1, secondsLeft: 1 });
    jest.advanceTimersByTime(1);
    expect(counter.add('one')).toEqual({ count: 1, secondsLeft: 60 });
  });

  it('starts again before it has more keys than it may keep, so that no caller is refused because of others', () => {
    const counter = new WindowCounter(24 * 60 * MINUTE);
    const counted = new Set<number>();
    for (let key = 0; key < MAX_KEYS; key++) counted.add(counter.add(`address-${key}`).count);
    expect([...counted]).toEqual([1]);
    expect(counter.size).toBe(MAX_KEYS);
    expect(counter.add('address-0').count).toBe(2);
    expect(counter.add('one more').count).toBe(1);
    expect(counter.size).toBe(1);
  });
});
