import { OutageNotice } from '../src/index';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let told: { second: number; message: string }[];
let notice: OutageNotice;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  told = [];
  const tell = (message: string): void => void told.push({ second: performance.now() / SECOND, message });
  notice = new OutageNotice({ warn: tell, log: tell });
});
afterEach(() => jest.useRealTimers());

afterEach(() => notice.stop());

/** Asks in vain, twice a second. */
function askInVain(forMs: number): void {
  for (let ms = 0; ms < forMs; ms += SECOND / 2) {
    notice.failed('The database is away (ECONNREFUSED)');
    jest.advanceTimersByTime(SECOND / 2);
  }
}

describe('an outage of the database', () => {
  it('is logged at once, then every four seconds, also while an attempt takes longer', () => {
    askInVain(10 * SECOND);
    jest.advanceTimersByTime(MINUTE);
    expect(new Set(told.map(({ message }) => message))).toEqual(
      new Set(['The database is away (ECONNREFUSED); trying again.']),
    );
    expect(told.map(({ second }) => second)).toEqual(Array.from({ length: 18 }, (_, time) => 4 * time));
  });

  it('is logged once when it ends, and the next outage again at once', () => {
    askInVain(10 * SECOND);
    notice.succeeded();
    notice.succeeded();
    jest.advanceTimersByTime(MINUTE);
    askInVain(SECOND);
    expect(told.slice(3).map(({ second, message }) => `${second} ${message}`)).toEqual([
      '10 The database is back.',
      '70 The database is away (ECONNREFUSED); trying again.',
    ]);
  });

  it('is not logged as ended if it never began, nor after the service has stopped', () => {
    notice.succeeded();
    expect(told).toEqual([]);
    askInVain(SECOND);
    notice.stop();
    jest.advanceTimersByTime(MINUTE);
    expect(told).toHaveLength(1);
  });
});
