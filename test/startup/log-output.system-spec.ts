import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OpenedDatabase } from '@user-administration/postgres';
import { freePort } from '../support/free-port';
import { ask } from '../support/ask';
import { eventually } from '../support/eventually';
import { describeWithFullDisk, FULL } from '../support/full-disk';
import { openTestDatabase } from '../support/test-database';

// Each start is a process.
const REQUESTS = 1_000;
const AT_ONCE = 50;
/** Makes the log larger than what a pipe and its reader hold. */
const LONG_ID = 'x'.repeat(120);

let database: OpenedDatabase;
let child: ChildProcess;
let url: string;

beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  child.kill('SIGKILL');
  await database.close();
});

async function start(stdio: StdioOptions, environment: Record<string, string> = {}): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, ['dist/main.js'], {
    cwd: join(__dirname, '../..'),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      SHUTDOWN_DRAIN_MS: '0',
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret for these tests, of more than 32 bytes',
      ...environment,
    },
    stdio,
  });
  const isOver = () => child.exitCode !== null;
  await eventually(async () => expect((await ask(`${url}/health/ready`)).status).toBe(200), { isOver });
}

/** Resolves with the exit code. */
async function stop(): Promise<unknown> {
  const ended = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGTERM');
  const [exitCode] = await ended;
  return exitCode;
}

async function fillTheLog(): Promise<void> {
  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
    const headers = { 'x-request-id': `${LONG_ID}-${sent}` };
    await Promise.all(Array.from({ length: AT_ONCE }, () => ask(`${url}/api/nothing`, { headers })));
  }
}

describeWithFullDisk('a log that cannot be written', () => {
  it('neither stops nor delays the service', async () => {
    const full = openSync(FULL, 'w');
    await start(['ignore', full, 'ignore']);
    closeSync(full);
    expect((await ask(`${url}/api/me`)).status).toBe(401);
    expect((await ask(`${url}/health/ready`)).status).toBe(200);
    expect(await stop()).toBe(0);
  });
});

it('a log that nobody reads delays neither the service nor its stop', async () => {
  await start(['ignore', 'pipe', 'ignore']);
  await fillTheLog();
  expect((await ask(`${url}/health/ready`)).status).toBe(200);
  expect(await stop()).toBe(0);
});

it('a log that is read late still has every line', async () => {
  await start(['ignore', 'pipe', 'ignore']);
  await fillTheLog();
  const log = text(child.stdout as NodeJS.ReadableStream & AsyncIterable<Buffer>);
  expect((await ask(`${url}/api/nothing`, { headers: { 'x-request-id': 'last' } })).status).toBe(404);
  expect(await stop()).toBe(0);
  const lines = (await log).split('\n').filter((line) => line.includes(LONG_ID));
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(Array(REQUESTS).fill('request'));
});
