import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';

/** The port stays open while no worker is left, and then nobody answers. */
const ANSWER_WITHIN_MS = 30_000;
/** Ends what hangs. It is no measure of speed. */
const END_WITHIN_MS = 60_000;
const ROOT = join(__dirname, '../..');

/** The service with several workers, started as production starts it, and all that it writes. */
export class WorkersProcess {
  readonly lines: string[] = [];
  private readonly ended: Promise<unknown[]>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.lines.push(line));
    }
  }

  static start(environment: Record<string, string>): WorkersProcess {
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', FAIR_USE_PER_CALLER: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new WorkersProcess(child);
  }

  /** Every log line so far that says this. */
  logged(message: string): { pid: number; worker?: number; pause?: number; requestId?: string; status?: number }[] {
    return this.lines.flatMap((line) => (line.includes(`"msg":"${message}"`) ? [JSON.parse(line)] : []));
  }

  greetings(): string[] {
    return this.lines.flatMap((line) => /^Swagger UI: (http:\/\/[^/]+)/.exec(line)?.[1] ?? []);
  }

  /** Retries an assertion until it holds. It fails at once, with the output, when the service has ended. */
  async until(holds: () => Promise<void> | void): Promise<void> {
    let failure: unknown;
    await eventually(async () => {
      failure = undefined;
      try {
        await holds();
      } catch (error) {
        if (!this.hasEnded()) throw error;
        failure = error;
      }
    });
    if (failure) throw new Error(`The service ended:\n${this.lines.join('\n')}`, { cause: failure });
  }

  /** The exit code and the signal, once all output has been read. */
  async end(): Promise<unknown[]> {
    const late = delay(END_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`The service does not end:\n${this.lines.join('\n')}`);
    });
    return Promise.race([this.ended, late]);
  }

  private hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

export function twoWorkersOn({ url }: { url: string }): Record<string, string> {
  return {
    WORKERS: '2',
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '2',
    JWT_SECRET: 'a secret for these tests, of more than 32 bytes',
    SHUTDOWN_DRAIN_MS: '100',
  };
}

/** A connection of its own for a request, which any worker may take. */
export function alone(headers: Record<string, string> = {}): RequestInit {
  return { headers: { connection: 'close', ...headers }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) };
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
