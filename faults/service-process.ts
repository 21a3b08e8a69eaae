import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { call } from './call';
import { freePort } from '../test/support/free-port';
import { nextMessage, until } from './until';

/** Of a process, in bytes, after what nobody uses has been freed. */
export interface Memory {
  rss: number;
  /** Of JavaScript, and of the buffers that it holds. */
  used: number;
}

const ROOT = join(__dirname, '..');

/** The built service in a process of its own, on one address through every restart. */
export class FaultyService {
  /** What it was told on the way out of it. */
  exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly secret: string,
    private readonly environment: Record<string, string>,
    private readonly ownToken: string | undefined,
  ) {}

  /** @param token of an administrator; needed where the service has another key than a secret */
  static async on(environment: Record<string, string>, token?: string): Promise<FaultyService> {
    const secret = environment.JWT_SECRET ?? randomBytes(32).toString('hex');
    const service = new FaultyService(await freePort(), secret, environment, token);
    process.on('exit', () => service.child?.kill('SIGKILL'));
    return service;
  }

  /** As {@link on}, and started. */
  static async ready(...settings: Parameters<typeof FaultyService.on>): Promise<FaultyService> {
    const service = await FaultyService.on(...settings);
    service.start();
    await service.until('/health/ready', 200);
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** An access token of a calling service, which is an administrator. */
  get token(): string {
    if (this.ownToken !== undefined) return this.ownToken;
    return this.tokenOf('fault-trial', 'users:administer');
  }

  /** An access token of a user, or with a scope of a service. */
  tokenOf(sub: string, scope?: string): string {
    return signAccessToken({ key: { kind: 'secret', secret: this.secret } }, { sub, ...(scope && { scope }) });
  }

  start(): void {
    this.exit = undefined;
    const child = spawn(process.execPath, ['--expose-gc', '-r', join(__dirname, 'memory.cjs'), 'dist/main.js'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        LOG_LEVEL: 'error',
        FAIR_USE_PER_ADDRESS: '0',
        FAIR_USE_PER_CALLER: '0',
        JWT_SECRET: this.secret,
        PORT: String(this.port),
        ...this.environment,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('exit', (code, signal) => (this.exit = { code, signal }));
    this.child = child;
  }

  /** Waits until it answers this at a path of its health, and returns how long that took, in milliseconds. */
  async until(path: '/health/live' | '/health/ready', status: number, withinMs = 60_000): Promise<number> {
    const began = performance.now();
    const isAnswered = async () => (await call(this.url + path).catch(() => undefined))?.status === status;
    const isOver = () => this.exit !== undefined;
    await until(`${path} becomes ${status}`, isAnswered, { pauseMs: 20, patienceMs: withinMs, isOver });
    return performance.now() - began;
  }

  async memory(): Promise<Memory> {
    const { child } = this;
    if (!child) throw new Error('The service is not running.');
    child.send('memory');
    for (;;) {
      const message = (await nextMessage(child)) as { memory?: NodeJS.MemoryUsage };
      if (message.memory) return { rss: message.memory.rss, used: message.memory.heapUsed + message.memory.external };
    }
  }

  /**
   * The longest time since the previous call in which its event loop served nobody, in milliseconds of CPU, and the most memory
   * that it ever had, in bytes.
   */
  async burden(): Promise<{ longestTurn: number; peak: number }> {
    const { child } = this;
    if (!child) throw new Error('The service is not running.');
    child.send('turns');
    for (;;) {
      const message = (await nextMessage(child)) as { longestTurn?: number; peak?: number };
      if (message.longestTurn !== undefined) return { longestTurn: message.longestTurn, peak: message.peak ?? 0 };
    }
  }

  /** Sends a signal, and waits for the end; returns how long that took, in milliseconds. */
  async end(signal: NodeJS.Signals): Promise<number> {
    const { child } = this;
    if (!child || this.exit) return 0;
    const began = performance.now();
    child.kill(signal);
    await until(`the end after ${signal}`, () => this.exit !== undefined, { pauseMs: 1 });
    return performance.now() - began;
  }
}
