import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port';
import { ask } from './ask';
import { eventually } from './eventually';

/** These bounds end what hangs. They are no measure of speed. */
const ANSWER_MS = 10_000;
const END_WITHIN_MS = 60_000;
const ROOT = join(__dirname, '../..');

/** The service in a separate process, as in production: system errors are those of the process, and all its output can be read. */
export class ServiceProcess {
  /** Its output so far, on either stream. */
  readonly lines: string[] = [];
  private readonly ended: Promise<unknown[]>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly port: string,
  ) {
    this.ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.lines.push(line));
    }
  }

  /**
   * Starts it without waiting for anything. No balancer has to notice its end, so it stops at once.
   *
   * @param root the folder of another release, which has its build in `dist`
   * @param node another version of Node.js
   */
  static spawn(
    { PORT = '0', ...environment }: Record<string, string>,
    root = ROOT,
    node = process.execPath,
  ): ServiceProcess {
    const child = spawn(node, ['dist/main.js'], {
      cwd: root,
      env: { ...process.env, PORT, SHUTDOWN_DRAIN_MS: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, PORT);
  }

  /** As {@link spawn}, but resolves once it answers, with or without a database. */
  static async start(environment: Record<string, string>, root = ROOT, node?: string): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn({ PORT: String(await freePort()), ...environment }, root, node);
    try {
      await service.until(200, '/health/live');
      return service;
    } catch (error) {
      service.signal('SIGKILL');
      throw error;
    }
  }

  /** Its address: the port that it was given or, if it could take any, the one that it has printed. */
  get url(): string {
    return this.port === '0' ? (this.greetings()[0] ?? '') : `http://127.0.0.1:${this.port}`;
  }

  greetings(): string[] {
    return this.lines.flatMap((line) => /^Swagger UI: (http:\/\/[^/]+)/.exec(line)?.[1] ?? []);
  }

  /** Every log line so far that says this. */
  logged(message: string): { pid: number; requestId?: string; status?: number }[] {
    return this.lines.flatMap((line) => (line.includes(`"msg":"${message}"`) ? [JSON.parse(line)] : []));
  }

  /** Asks until this is the answer, because another process offers no event. */
  async until(status: number, path: string): Promise<void> {
    await this.eventually(async () => {
      const answer = await ask(this.url + path, { signal: AbortSignal.timeout(ANSWER_MS) });
      expect(answer.status).toBe(status);
    });
  }

  /** Retries an assertion until it holds. It fails, with the output, as soon as the service has ended. */
  async eventually(holds: () => Promise<void> | void): Promise<void> {
    const isOver = () => this.child.exitCode !== null || this.child.signalCode !== null;
    await eventually(holds, { pauseMs: 20, isOver }).catch((cause: unknown) => {
      throw new Error(`The service ${isOver() ? 'ended' : 'goes on'}:\n${this.lines.join('\n')}`, { cause });
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The exit code and the signal, once all output has been read. */
  async end(): Promise<unknown[]> {
    const late = delay(END_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`The service does not end:\n${this.lines.join('\n')}`);
    });
    return Promise.race([this.ended, late]);
  }

  /** @returns the exit code */
  async stop(): Promise<unknown> {
    this.signal('SIGTERM');
    const [exitCode] = await this.end();
    return exitCode;
  }
}
