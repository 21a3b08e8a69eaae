import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { useTestDatabase } from '../support/test-database';
import { ask } from '../support/ask';
import { eventually } from '../support/eventually';

// Each start is two processes.
const ROOT = join(__dirname, '../..');
/** What a process manager such as pm2 does in its cluster mode. It ends with its worker, and passes its signal on. */
const MANAGER = `
  const cluster = require('node:cluster');
  cluster.setupPrimary({ exec: 'dist/main.js', execArgv: [] });
  const worker = cluster.fork();
  worker.on('exit', (code) => process.exit(code ?? 1));
  process.on('SIGTERM', () => worker.process.kill('SIGTERM'));`;

const database = useTestDatabase();

function start(environment: Record<string, string>) {
  return spawn(process.execPath, ['-e', MANAGER], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret for these tests, of more than 32 bytes',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('a process of a process manager', () => {
  it('serves, prints its greeting, and has metrics', async () => {
    const manager = start({ SHUTDOWN_DRAIN_MS: '0' });
    const ended = once(manager, 'close');
    const lines: string[] = [];
    createInterface(manager.stdout).on('line', (line) => lines.push(line));
    const address = () => lines.flatMap((line) => /^Swagger UI: (http:\/\/[^/]+)/.exec(line)?.[1] ?? [])[0];
    try {
      await eventually(() => expect(address()).toBeDefined());
      const metrics = await ask(`${address()}/metrics`);
      expect(metrics.status).toBe(200);
      expect(metrics.text).toContain('\ndatabase_ready 1\n');
    } finally {
      manager.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  });

  it('reports why it cannot start', async () => {
    const manager = start({ HOST: '203.0.113.7' });
    const [stderr, [exitCode]] = await Promise.all([text(manager.stderr), once(manager, 'close')]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The service cannot listen (EADDRNOTAVAIL)');
  });
});
