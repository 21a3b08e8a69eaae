import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import type { EmulatorAnswer, EmulatorCalls, EmulatorRequest } from './emulator-messages';

/** `.js` in the package, `.ts` in the sources. */
const EXTENSION = extname(__filename);
const PROGRAM = join(__dirname, `main${EXTENSION}`);
/**
 * A small heap that is collected often, because the directory of a test is small, and one thread beside the main one
 * for compiling and collecting: each has memory of its own.
 */
const SMALL = ['--max-semi-space-size=2', '--v8-pool-size=1'];
const END_WITHIN_MS = 5_000;
/**
 * How long a wait for an event keeps the test's process alive. An event of a request that was answered arrives much earlier. A test
 * that has failed can leave a wait behind that nothing ends.
 */
const HOLD_MS = 5_000;

interface Waiting {
  /** Whether the test's process stays alive for it. */
  holds: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * The service in a separate process, so that it works with every test runner: Jest cannot load Nest 12, Vitest may use
 * threads, and a busy test does not slow the service down. It keeps no process running, and ends with its parent.
 */
export class EmulatorProcess {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  private output = '';

  constructor() {
    this.child = fork(PROGRAM, {
      execArgv: [...SMALL, ...(EXTENSION === '.ts' ? ['-r', '@swc-node/register'] : [])],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // JSON would turn a missing argument into null.
      serialization: 'advanced',
    });
    this.child.on('message', (answer: EmulatorAnswer) => this.receive(answer));
    this.child.on('error', (error) => this.end(error.message));
    this.child.on('exit', (code, signal) => this.end(`It ended with ${signal ?? `exit code ${code}`}.`));
    this.child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (this.output = (this.output + text).slice(-4_000)));
    this.rest();
  }

  async call<Call extends keyof EmulatorCalls>(
    call: Call,
    ...given: EmulatorRequest<Call>['given']
  ): Promise<Awaited<ReturnType<EmulatorCalls[Call]>>> {
    const number = ++this.calls;
    // First, because it throws if the arguments cannot be copied.
    if (this.child.connected) this.child.send({ number, call, given });
    const answered = new Promise<unknown>((resolve, reject) => {
      const waiting: Waiting = { resolve, reject, holds: true };
      this.waiting.set(number, waiting);
      const letGo = () => {
        waiting.holds = false;
        this.rest();
      };
      if (call === 'events') setTimeout(letGo, HOLD_MS).unref();
    });
    // While it waits for an answer, the test's process stays alive.
    this.child.ref();
    this.child.channel?.ref();
    if (!this.child.connected) this.end('It has been closed.');
    return answered as Promise<Awaited<ReturnType<EmulatorCalls[Call]>>>;
  }

  /** @throws Error if the service had to be killed, because its temporary database on a server is then left behind */
  async close(): Promise<void> {
    if (!this.child.connected) return;
    // Unlike `once`, this does not fail with an error of a child that was killed.
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.child.kill('SIGKILL');
    }, END_WITHIN_MS);
    await this.call('close').catch(() => undefined);
    this.child.ref();
    if (this.child.connected) this.child.disconnect();
    await ended;
    clearTimeout(timer);
    if (!isLate) return;
    throw new Error(
      'The User Administration Service did not end within five seconds, and was killed. If it has a database on a ' +
        'server, drop it: its name begins with test_.',
    );
  }

  private receive({ number, result, problem }: EmulatorAnswer): void {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    if (problem === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(problem));
    this.rest();
  }

  private rest(): void {
    if ([...this.waiting.values()].some(({ holds }) => holds)) return;
    this.child.unref();
    this.child.channel?.unref();
    (this.child.stderr as { unref?(): void } | null)?.unref?.();
  }

  private end(why: string): void {
    const error = new Error(
      `The User Administration Service does not run. ${[why, this.output.trim()].join('\n').trim()}`,
    );
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
