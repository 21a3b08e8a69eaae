import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { nextMessage } from './until';

/** Requests of one sibling app: whom it let in and when, by {@link monotonicMs}, and how many it did not let in. */
export interface Served {
  users: Int32Array;
  times: Float64Array;
  /** Answered 401. */
  refused: number;
  /** When requests were answered 503, because the service was silent for too long. */
  unknown: Float64Array;
  overHttp: number;
  /** The longest time for which its event loop stood still: on a busy machine this explains what is late. */
  stallMs: number;
}

export interface SiblingOptions {
  baseUrl: string;
  token: string;
  users: string[];
  whenSilent: 'refuse' | 'ask';
}

/** A clock that all processes of a machine share and nobody sets. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A Nest app behind `ActiveUserGuard`, and its callers, in a process of their own. */
export class SiblingProcess {
  private readonly ended: Promise<never>;

  private constructor(private readonly child: ChildProcess) {
    process.on('exit', () => child.kill('SIGKILL'));
    this.ended = once(child, 'exit').then(() => Promise.reject(new Error('A sibling app has ended.')));
    this.ended.catch(() => undefined);
  }

  /** Returns when the guard knows who is active. */
  static async start(options: SiblingOptions): Promise<SiblingProcess> {
    const child = fork(join(__dirname, 'sibling-app.ts'), {
      execArgv: ['-r', '@swc-node/register'],
      serialization: 'advanced',
    });
    const sibling = new SiblingProcess(child);
    await sibling.ask(options);
    return sibling;
  }

  async handled(): Promise<number> {
    return (await this.ask('count')) as number;
  }

  /** Ends the process, and returns what it served. */
  async finish(): Promise<Served> {
    return (await this.ask('finish')) as Served;
  }

  private async ask(message: SiblingOptions | 'count' | 'finish'): Promise<unknown> {
    const answer = nextMessage(this.child);
    this.child.send(message);
    return Promise.race([answer, this.ended]);
  }
}
