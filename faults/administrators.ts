import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultyService } from './service-process';
import type { Trial } from './trial';
import { percentile, tally, Writers } from './writers';

const PAUSE_MS = 20;

/** What administrators were told for some time. Two of them keep their connections, and two open one for each request. */
export class Administrators {
  private constructor(private readonly writers: Writers[]) {}

  /** They begin with these pairs of users, see `fillDirectory`. */
  static async during(work: () => Promise<unknown>, service: FaultyService, pairs: number): Promise<Administrators> {
    const writers = [true, false].map(
      (keepAlive) => new Writers(service, 2, pairs, PAUSE_MS, new Agent({ keepAlive })),
    );
    await work();
    // Not to the end of what they began: they would go on until they are served.
    await Promise.all(writers.map((each) => each.stop()));
    return new Administrators(writers);
  }

  static alone(service: FaultyService, pairs: number): Promise<Administrators> {
    return Administrators.during(() => delay(5_000), service, pairs);
  }

  /** Whether all were served, and 99 in a hundred within a second. */
  judge(trial: Trial, when: string): void {
    const replies = this.writers.flatMap((writers) => writers.replies);
    const broken = this.writers.flatMap((writers) => writers.broken);
    const times = replies.map(({ ms }) => ms);
    const p99 = percentile(times, 0.99);
    const codes = [...new Set(broken.map(({ code }) => code))].join(', ');
    trial.expect(
      `answers to administrators ${when}`,
      replies.length > 0 && replies.every(({ status }) => status === 200),
      tally(replies),
    );
    trial.expect(`their broken connections ${when}`, broken.length === 0, `${broken.length} ${codes}`);
    trial.expect(
      `p99 of their answers ${when}, ms`,
      p99 < 1_000,
      `${Math.round(p99)} (median ${Math.round(percentile(times, 0.5))}, worst ${Math.round(Math.max(...times))})`,
    );
  }
}
