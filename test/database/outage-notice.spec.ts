import { OutageNotice } from '../../src/database/outage-notice';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let told: { second: number; message: string }[];
let notice: OutageNotice;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  told = [];
  const tell = (message: string): void => void told.push({ second: performance.now() / SECOND, message });
  notice = new OutageNotice({ warn: tell, log: tell });
});
afterEach(() => jest.useRealTimers());

/** Asks in vain, twice a second. */
function askInVain(forMs: number): void {
  for (let ms = 0; ms < forMs; ms += SECOND / 2) {
    notice.failed('The database is away (ECONNREFUSED)');
    jest.advanceTimersByTime(SECOND / 2);
  }
}

describe('an outage of the database', () => {
  it('is logged at once, then less and less often, and at least once a minute', () => {
    askInVain(HOUR);
    const seconds = told.map(({ second }) => second);
    expect(new Set(told.map(({ message }) => message))).toEqual(
      new Set(['The database is away (ECONNREFUSED); trying again.']),
    );
    expect(seconds.slice(0, 7)).toEqual([0, 2, 6, 14, 30, 62, 122]);
    expect(seconds).toHaveLength(5 + 59);
  });

  it('is logged once when it ends, and the next outage again at once', () => {
    askInVain(10 * SECOND);
    notice.succeeded();
    notice.succeeded();
    askInVain(SECOND);
    expect(told.slice(3).map(({ second, message }) => `${second} ${message}`)).toEqual([
      '10 The database is back.',
      '10 The database is away (ECONNREFUSED); trying again.',
    ]);
  });

  it('is not logged as ended if it never began', () => {
    notice.succeeded();
    expect(told).toEqual([]);
  });
});
