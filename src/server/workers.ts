import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import type { Config } from '../config/config';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** Once it takes no more connections, a worker that is told to stop ends itself within less. */
const STOP_WITHIN_MS = 5_000;

/** Marks the workers of this service. Process managers such as pm2 fork workers, too, and answer none of what is said below. */
const MARK = '--worker';

/** What a worker says to the process that watches over it: that it serves, or why it ends, as the text to write. */
type Report = { greeting: string } | { failure: string };

/** What that process says to a worker: to answer what is under way, and end. */
const STOP = 'stop';

/** Whether the process that started this one is this service, and watches over it. */
export function isSupervised(): boolean {
  return cluster.isWorker && process.argv.includes(MARK);
}

/** In a worker: tells the process that watches over it. */
export function reportReady(greeting: string): void {
  process.send?.({ greeting } satisfies Report);
}

/** In a worker: the same. A process that nobody watches over says it itself. */
export async function reportFailure(failure: string): Promise<void> {
  const isSent = isSupervised() && (await send({ failure }));
  if (!isSent) process.stderr.write(failure);
}

/** @returns false when nobody is there any more to hear it */
function send(report: Report): Promise<boolean> {
  return new Promise((resolve) => {
    if (!process.connected) resolve(false);
    else process.send?.(report, undefined, undefined, (error) => resolve(!error));
  });
}

/**
 * In a worker: told to stop by a message and not by a signal, because a terminal sends a signal of its own to every process,
 * and a second one would end the worker there and then.
 */
export function onStop(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}

/**
 * Runs as many processes as configured, which share the port and nothing else, and puts a new one in the place of each that
 * ends, at once the first time and later the more often it happens. Told to stop, it stops them all.
 *
 * @param onStart is told of each process when it starts
 * @returns when all have ended: the exit code
 */
export async function superviseWorkers(
  { workers, logLevel, httpBounds }: Config,
  onStart: (worker: Worker) => void,
): Promise<number> {
  // Each worker takes its connections itself. Were they handed out, those on their way to one that dies would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: [...process.argv.slice(2), MARK] });
  const log = pino({ level: logLevel, base: { pid: process.pid } });
  const watch = new Watch(log, httpBounds.drainMs + STOP_WITHIN_MS, onStart);
  process.on('SIGTERM', () => watch.stop());
  process.on('SIGINT', () => watch.stop());
  await Promise.all(Array.from({ length: workers }, () => watch.keepOne()));
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

  /** Keeps one worker alive until all are to stop. */
  async keepOne(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.stopping.signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const began = performance.now();
      const worker = cluster.fork();
      const { code, signal } = await this.endOf(worker);
      if (this.stopping.signal.aborted) {
        this.exitCode ||= code ?? 0;
        return;
      }
      // What keeps the first of all from serving, such as a port that is taken, keeps the next one, too. It has said what.
      if (!this.greeted && code) return this.stop(1);
      if (performance.now() - began > MAX_PAUSE_MS) pause = FIRST_PAUSE_MS;
      this.log.warn({ worker: worker.process.pid, code, signal, pause }, 'a worker ended: another takes its place');
      await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Told twice, or when that takes too long, it ends them there and then; what they had not acknowledged is undone. */
  stop(exitCode = 0): void {
    this.exitCode ||= exitCode;
    if (this.stopping.signal.aborted) return this.kill();
    this.stopping.abort();
    for (const worker of this.running) {
      // One that does not serve yet may not listen to us, either.
      if (this.ready.has(worker)) worker.send(STOP, () => undefined);
      else worker.process.kill('SIGTERM');
    }
    setTimeout(() => this.kill(), this.stopWithinMs).unref();
  }

  private async endOf(worker: Worker): Promise<{ code: number | null; signal: string | null }> {
    this.running.add(worker);
    this.onStart(worker);
    worker.on('message', (report: Partial<Report>) => {
      if ('failure' in report && report.failure !== undefined) this.tellFailure(report.failure);
      if (!('greeting' in report) || report.greeting === undefined) return;
      this.ready.add(worker);
      // All say the same: they share the port.
      if (!this.greeted) process.stdout.write(report.greeting);
      this.greeted = true;
    });
    // What it said last is heard only when its channel ends, which can be after its own end.
    const heard = once(worker, 'disconnect');
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null];
    this.running.delete(worker);
    this.ready.delete(worker);
    await heard;
    return { code, signal };
  }

  /** What keeps one from serving at all keeps the others, too, and they would say the same. */
  private tellFailure(failure: string): void {
    if (this.greeted || !this.failed) process.stderr.write(failure);
    this.failed = true;
  }

  private kill(): void {
    this.exitCode ||= 1;
    for (const worker of this.running) worker.process.kill('SIGKILL');
  }
}
