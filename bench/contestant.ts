import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../test/support/free-port';

const ROOT = join(__dirname, '..');
const START_TIMEOUT_MS = 60_000;

/** The figures of the probe in a process, since they were last read. */
export interface Probe {
  cpuMs: number;
  eventLoopDelayP99Ms: number;
  rss: number;
  heapUsed: number;
  handles: number;
}

/** A server in a separate process, with a log file as in production. */
export class Contestant {
  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  static async start(
    name: string,
    program: string[],
    environment: Record<string, string>,
    log: string,
  ): Promise<Contestant> {
    const port = await freePort();
    const file = openSync(log, 'a');
    const child = spawn(process.execPath, ['--expose-gc', '-r', join(__dirname, 'probe.cjs'), ...program], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        ...environment,
        PORT: String(port),
        LOG_LEVEL: 'info',
        FAIR_USE_PER_ADDRESS: '0',
        FAIR_USE_PER_CALLER: '0',
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
      },
      stdio: ['ignore', file, 'inherit', 'ipc'],
    });
    const contestant = new Contestant(name, port, child);
    await contestant.waitUntilReady();
    return contestant;
  }

  async probe(question: 'ask' | 'collect' = 'ask'): Promise<Probe> {
    const answer = once(this.child, 'message') as Promise<[Probe]>;
    this.child.send(question);
    return (await answer)[0];
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }

  private async waitUntilReady(): Promise<void> {
    const end = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < end) {
      if (this.child.exitCode !== null) throw new Error(`${this.name} ended with code ${this.child.exitCode}.`);
      const ready = await fetch(`http://127.0.0.1:${this.port}/health/ready`).catch(() => undefined);
      if (ready?.status === 200) return;
      await delay(100);
    }
    await this.stop();
    throw new Error(`${this.name} was not ready in time.`);
  }
}
