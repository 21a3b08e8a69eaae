import { WindowCounter } from '../../src/server/window-counter';

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
});
