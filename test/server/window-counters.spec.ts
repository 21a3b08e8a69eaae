import { WindowCounters } from '../../src/server/window-counters';

const MINUTE = 60_000;

afterEach(() => jest.useRealTimers());

describe('WindowCounters', () => {
  it('counts each key by itself, and begins anew with each window', async () => {
    jest.useFakeTimers({ now: 10 * MINUTE });
    const counters = new WindowCounters();
    const count = (key: string) => counters.increment(key, MINUTE, 2, 0, 'address');
    expect(await count('one')).toEqual({ totalHits: 1, timeToExpire: 60, isBlocked: false, timeToBlockExpire: 60 });
    await count('one');
    jest.advanceTimersByTime(MINUTE - 1);
    expect(await count('one')).toMatchObject({ totalHits: 3, timeToExpire: 1, isBlocked: true });
    expect(await count('other')).toMatchObject({ totalHits: 1, isBlocked: false });
    jest.advanceTimersByTime(1);
    expect(await count('one')).toMatchObject({ totalHits: 1, timeToExpire: 60, isBlocked: false });
  });
});
