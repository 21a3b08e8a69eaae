import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../faults/free-port';
import { ask } from './ask';

const ASK_AGAIN_MS = 20;
/** These bounds end what hangs. They are no measure of speed. */
const ANSWER_MS = 10_000;
const PATIENCE_MS = 90_000;
const ROOT = join(__dirname, '../..');

/** The service in a separate process, as in production: system errors are those of the process, and all its output can be read. */
export class ServiceProcess {
  /** Its output so far, on either stream. */
  readonly lines: string[] = [];
  private readonly ended: Promise<unknown[]>;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    this.ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.lines.push(line));
    }
  }

  /**
   * Resolves once it answers, with or without a database. No balancer has to notice its end, so it stops at once.
   *
   * @param root the folder of another release, which has its build in `dist`
   */
  static async start(environment: Record<string, string>, root = ROOT): Promise<ServiceProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: root,
      env: { ...process.env, PORT: String(port), SHUTDOWN_DRAIN_MS: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const service = new ServiceProcess(child, `http://127.0.0.1:${port}`);
    try {
      await service.until(200, '/health/live');
      return service;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  async until(status: number, path: string): Promise<void> {
    await untilAnswered(this.child, this.url + path, status, () => this.lines.join('\n'));
  }

  /** @returns the exit code */
  async stop(): Promise<unknown> {
    this.child.kill('SIGTERM');
    const [exitCode] = await this.ended;
    return exitCode;
  }
}

/** Requests until this is the answer, because another process offers no event. */
export async function untilAnswered(
  child: ChildProcess,
  url: string,
  status: number,
  log: () => string = () => '',
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await ask(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined);
    if (answer?.status === status) return;
    if (performance.now() > end) throw new Error(`${url} does not answer ${status}:\n${log()}`);
    await delay(ASK_AGAIN_MS);
  }
  throw new Error(`The service ended:\n${log()}`);
}
