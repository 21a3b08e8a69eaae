import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { createApp } from '../../src/app';
import { loadConfig } from '../../src/load-config';
import { DatabaseStartup } from '../../src/database/database-startup';
import { RequestsUnderWay, StalledAnswers, whyClosed } from '@user-administration/http';

const REQUEST_MS = 5_000;
/** More than the network holds, as one chunk. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let app: NestExpressApplication;
let respond: (response: Response) => void;
let stalled: StalledAnswers;
let caller: Socket;

beforeAll(async () => {
  const settings = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere',
    JWT_SECRET: 'a secret of this suite alone, long',
  };
  // The app itself closes nothing during the tests, which have a clock of their own.
  const config = loadConfig({ ...settings, LOG_LEVEL: 'silent', REQUEST_TIMEOUT_MS: '3600000' });
  app = await createApp(config, { beforeRoutes: (_request, response) => respond(response) });
  // The first failure to connect starts the timer that reports the outage.
  await app.get(DatabaseStartup).attempted();
  await app.listen(0, '127.0.0.1');
  const httpBounds = { ...config.httpBounds, requestMs: REQUEST_MS };
  stalled = new StalledAnswers(app.get(RequestsUnderWay), { ...config, httpBounds });
});
afterAll(() => app.close());

beforeEach(() => {
  const real = [
    'Date',
    'hrtime',
    'nextTick',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'setTimeout',
    'clearTimeout',
  ] as const;
  jest.useFakeTimers({ doNotFake: [...real] });
  stalled.onApplicationBootstrap();
});
afterEach(() => {
  stalled.onApplicationShutdown();
  const timers = jest.getTimerCount();
  jest.useRealTimers();
  caller.destroy();
  expect(timers).toBe(0);
});

/** The answer to a request of a caller who reads nothing yet. */
async function answer(): Promise<Response> {
  const asked = new Promise<Response>((resolve) => (respond = resolve));
  caller = connect((app.getHttpServer().address() as AddressInfo).port, '127.0.0.1').pause();
  caller.on('error', () => undefined);
  caller.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return asked;
}

/** Until the network accepts no more. */
async function full(socket: Socket): Promise<void> {
  const handle = Reflect.get(socket, '_handle') as { writeQueueSize: number };
  for (let same = 0, before = NaN; same < 10; before = handle.writeQueueSize) {
    await delay(10);
    same = handle.writeQueueSize === before ? same + 1 : 0;
  }
}

/** The caller reads until the network accepts more. */
async function readSome(socket: Socket): Promise<void> {
  const handle = Reflect.get(socket, '_handle') as { writeQueueSize: number };
  const before = handle.writeQueueSize;
  caller.resume();
  while (handle.writeQueueSize === before) await turn();
  caller.pause();
}

/** @returns the second in which the connection was closed */
async function passSeconds(
  socket: Socket,
  each: (second: number) => Promise<void> | void,
): Promise<number | undefined> {
  for (let second = 1; second <= 9; second++) {
    await each(second);
    jest.advanceTimersByTime(1_000);
    if (socket.destroyed) return second;
  }
  return undefined;
}

describe('the connection of an answer', () => {
  it('is closed if the network accepts no more of it', async () => {
    const response = await answer();
    const socket = response.socket as Socket;
    response.write(LARGE);
    await full(socket);
    expect(await passSeconds(socket, () => undefined)).toBe(6);
    expect(whyClosed(socket)).toBe('the caller did not read its answer');
    await once(caller.resume(), 'close');
  });

  it('is closed if bytes are only added to it', async () => {
    const response = await answer();
    const socket = response.socket as Socket;
    response.write(LARGE);
    await full(socket);
    expect(await passSeconds(socket, () => void response.write('more'))).toBe(6);
  });

  it('stays open if its caller reads late, and then slowly', async () => {
    const response = await answer();
    const socket = response.socket as Socket;
    response.write(LARGE);
    await full(socket);
    expect(await passSeconds(socket, (second) => (second < 5 ? undefined : readSome(socket)))).toBeUndefined();
    expect(socket.writableLength).toBeGreaterThan(0);
  });

  it('stays open while it is not ready', async () => {
    const response = await answer();
    expect(await passSeconds(response.socket as Socket, () => undefined)).toBeUndefined();
    response.end();
    await once(caller.resume(), 'data');
  });
});
