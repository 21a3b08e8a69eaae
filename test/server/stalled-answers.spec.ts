import type { Socket } from 'node:net';
import type { Config } from '../../src/config/config';
import type { RequestsUnderWay } from '../../src/server/requests-under-way';
import { StalledAnswers } from '../../src/server/stalled-answers';

const REQUEST_MS = 5_000;

afterEach(() => jest.useRealTimers());

/** Second by second: the bytes that are written, and those of them that the network has not accepted. */
type Progress = (second: number) => { bytesWritten: number; writableLength: number };

it.each<[string, Progress, number | undefined]>([
  ['of which the network accepts no more', () => ({ bytesWritten: 900, writableLength: 500 }), 6],
  ['to which bytes are only added', (at) => ({ bytesWritten: 900 + at, writableLength: 500 + at }), 6],
  ['that a slow caller reads', (at) => ({ bytesWritten: 900, writableLength: 500 - at }), undefined],
  ['that is read, but late', (at) => ({ bytesWritten: 900, writableLength: at < 5 ? 500 : 400 - at }), undefined],
  ['that is not ready yet', () => ({ bytesWritten: 900, writableLength: 0 }), undefined],
])('the connection of an answer %s is closed, or stays open', (_, progress, closedAt) => {
  jest.useFakeTimers();
  let second = 0;
  let destroyedAt: number | undefined;
  const socket = { ...progress(0), destroy: () => (destroyedAt ??= second) };
  const requests = { responses: [{ socket: socket as unknown as Socket }] };
  const config = { httpBounds: { requestMs: REQUEST_MS } };
  const stalled = new StalledAnswers(requests as unknown as RequestsUnderWay, config as Config);
  stalled.onApplicationBootstrap();
  for (second = 1; second <= 9; second++) {
    Object.assign(socket, progress(second));
    jest.advanceTimersByTime(1_000);
  }
  expect(destroyedAt).toBe(closedAt);

  stalled.onApplicationShutdown();
  expect(jest.getTimerCount()).toBe(0);
});
