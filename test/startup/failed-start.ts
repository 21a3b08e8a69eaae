import { type ChildProcessByStdio, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const ROOT = join(__dirname, '../..');
/** A start that hangs would keep the tests from ending. */
const TOO_LONG_MS = 60_000;

/** What a start of the service came to that was never to succeed. */
export interface FailedStart {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the service as production does, with nothing of the environment of the tests. */
export function spawnService(
  environment: Record<string, string>,
  options: SpawnOptions = {},
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ['dist/main.js'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts the service, and waits for its end. */
export async function failToStart(environment: Record<string, string>): Promise<FailedStart> {
  const keyed = { JWT_SECRET: 'a secret for these tests, of more than 32 bytes', ...environment };
  const child = spawnService(keyed, { timeout: TOO_LONG_MS, killSignal: 'SIGKILL' });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, stdout, stderr };
}

/** Nothing but this sentence is told of it, at a level that tells of problems. */
export async function expectFailure(environment: Record<string, string>, sentence: string): Promise<void> {
  expect(await failToStart(environment)).toEqual({ exitCode: 1, stdout: '', stderr: `${sentence}\n` });
}
