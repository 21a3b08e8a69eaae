import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config';
import { createLogger } from './create-logger';
import { standardOutput } from './standard-output';
import { onStopSignals } from './stop-signals';
import { MARK, type Report, STOP } from './supervised-worker';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** Longer than a worker needs to end after it has stopped accepting connections. */
const STOP_WITHIN_MS = 5_000;

/** How a process ended, or why it could not be started. */
interface End {
  code: number | null;
  signal: string | null;
  failure?: string;
}

/**
 * Runs the configured number of processes on one port, and replaces each one that ends, with growing pauses. When it is
 * stopped, it stops them all.
 *
 * @param onStart called with each process when it starts
 * @returns the exit code, when all have ended
 */
export async function superviseWorkers(config: Config, onStart: (worker: Worker) => void): Promise<number> {
  // Each worker accepts connections itself. Connections handed out by the supervisor would hang forever if their worker
  // died on the way.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: [...process.argv.slice(2), MARK] });
  const watch = new Watch(createLogger(config), config.httpBounds.drainMs + STOP_WITHIN_MS, onStart);
  onStopSignals(
    () => watch.stop(),
    () => watch.stop(),
  );
  await Promise.all(Array.from({ length: config.workers }, () => watch.keepOne()));
  return watch.exitCode;
}

class Watch {
  exitCode = 0;
  private readonly running = new Set<Worker>();
  private readonly ready = new Set<Worker>();
  private readonly stopping = new AbortController();
  private greeted = false;
  private failed = false;

  constructor(
    private readonly log: Logger,
    private readonly stopWithinMs: number,
    private readonly onStart: (worker: Worker) => void,
  ) {}

  /** Keeps one worker running until the service stops. */
  async keepOne(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.stopping.signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const began = performance.now();
      const worker = cluster.fork();
      const end = await this.endOf(worker);
      const { code } = end;
      if (this.stopping.signal.aborted) {
        this.exitCode ||= code ?? 0;
        return;
      }
      // What prevents the first worker from serving, such as a port in use, prevents the next one too. The worker has
      // reported it.
      if (!this.greeted && code) return this.stop(1);
      if (performance.now() - began > MAX_PAUSE_MS) pause = FIRST_PAUSE_MS;
      this.log.warn({ worker: worker.process.pid, ...end, pause }, 'a worker ended and is replaced');
      await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** A second call, or a stop that takes too long, kills all workers. What they had not committed is rolled back. */
  stop(exitCode = 0): void {
    this.exitCode ||= exitCode;
    if (this.stopping.signal.aborted) return this.kill();
    this.stopping.abort();
    for (const worker of this.running) {
      // A worker that does not serve yet may not listen for messages yet.
      if (this.ready.has(worker)) worker.send(STOP, () => undefined);
      else worker.process.kill('SIGTERM');
    }
    setTimeout(() => this.kill(), this.stopWithinMs).unref();
  }

  private async endOf(worker: Worker): Promise<End> {
    this.running.add(worker);
    this.onStart(worker);
    worker.on('message', (report: Partial<Report>) => {
      if ('failure' in report && report.failure !== undefined) this.logFailure(report.failure);
      if (!('greeting' in report) || report.greeting === undefined) return;
      this.ready.add(worker);
      // All greetings are equal, because workers share the port.
      if (!this.greeted) standardOutput.write(report.greeting);
      this.greeted = true;
    });
    // Its last message can arrive after its exit, but before its channel closes.
    const heard = new Promise<void>((resolve) => worker.once('disconnect', resolve));
    const end = await new Promise<End>((resolve) => {
      worker.once('exit', (code, signal) => resolve({ code, signal }));
      // A process that could not be started, for lack of memory or while Node is replaced, has no exit.
      worker.on('error', ({ message: failure }: Error) => {
        if (worker.process.pid === undefined) resolve({ code: null, signal: null, failure });
      });
    });
    this.running.delete(worker);
    this.ready.delete(worker);
    if (end.failure === undefined) await heard;
    return end;
  }

  /** What prevents one worker from serving prevents the others too, and they report the same. */
  private logFailure(failure: string): void {
    if (this.greeted || !this.failed) process.stderr.write(failure);
    this.failed = true;
  }

  private kill(): void {
    this.exitCode ||= 1;
    for (const worker of this.running) worker.process.kill('SIGKILL');
  }
}
