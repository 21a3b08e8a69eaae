import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Testing from '../packages/testing/src/start-user-administration';
import { childrenOf, type Consumption, consumption } from './processes';
import { spread } from './statistics';

/**
 * Measures starts of the build in `dist`, each from the command to the first answer to a request with a token: `npm
 * start` with and without data, the service without npm, and the test kit.
 *
 * @example node -r @swc-node/register bench/start.bench.ts [rounds]
 */
const ROOT = join(__dirname, '..');
const NPM = ['npm', 'start'];
const NODE = [process.execPath, 'dist/main.js'];

interface Start extends Consumption {
  wallMs: number;
}

async function main(rounds = 5): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'bench-'));
  const starts = new Map<string, Start[]>();
  const record = (name: string, start: Start) => starts.set(name, [...(starts.get(name) ?? []), start]);
  try {
    // They alternate, so that a disturbance affects all of them.
    for (let round = 0; round < rounds; round++) {
      const folder = join(data, String(round));
      record('`npm start`, first', await startService(NPM, folder));
      record('`npm start`, again', await startService(NPM, folder));
      record('`node dist/main.js`, again', await startService(NODE, folder));
      record('`startUserAdministration`', await startKit());
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
  process.stdout.write('| start | wall ms (lowest to highest) | CPU ms | peak MB |\n| --- | --- | --- | --- |\n');
  for (const [name, measured] of starts) {
    const wall = spread(measured.map(({ wallMs }) => wallMs));
    const cells = [
      name,
      `${wall.median.toFixed(0)} (${wall.low.toFixed(0)} to ${wall.high.toFixed(0)})`,
      spread(measured.map(({ cpuMs }) => cpuMs)).median.toFixed(0),
      spread(measured.map(({ peakMb }) => peakMb)).median.toFixed(0),
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}

async function startService([command = '', ...args]: string[], dataDir: string): Promise<Start> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: undefined, PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, because npm does not pass signals on reliably.
    detached: true,
  });
  const pid = child.pid as number;
  const closed = once(child.stdout, 'close');
  let text = '';
  let greeting: RegExpExecArray | null = null;
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk as string;
    greeting = /(http\S+)\/api\/docs#token=(\S+)/.exec(text);
    if (greeting) break;
  }
  const [, url = '', token = ''] = greeting ?? [];
  await expectOk(`${url}/health/ready`);
  await expectOk(`${url}/api/me`, token);
  const start = { wallMs: performance.now() - began, ...consumption(pid) };
  process.kill(-pid);
  // It closes when the last process of the group has ended, and the folder is free again.
  child.stdout.resume();
  await closed;
  return start;
}

async function startKit(): Promise<Start> {
  const { startUserAdministration } = createRequire(__filename)(
    join(ROOT, 'packages/testing/build/start-user-administration.js'),
  ) as typeof Testing;
  const began = performance.now();
  const users = await startUserAdministration();
  await expectOk(`${users.url}/api/me`, users.serviceToken());
  const wallMs = performance.now() - began;
  const [pid = NaN] = childrenOf(process.pid);
  const start = { wallMs, ...consumption(pid) };
  await users.close();
  return start;
}

async function expectOk(url: string, token = ''): Promise<void> {
  const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 200) throw new Error(`${url} answered ${status}`);
}

void main(...process.argv.slice(2, 3).map(Number));
