import { setTimeout as delay } from 'node:timers/promises';
import { UserAdministrationClient, UserAdministrationError } from '../client/src/index.ts';
import { monotonicMs, type Served } from './sibling-process';

/** From the answer of a deactivation to the request that activates the user again. */
interface Inactive {
  from: number;
  to: number;
}

/** Users whose status is changed at random moments by any of the processes, and when each of them was inactive. */
export class ChangingUsers {
  readonly ids: string[];
  private readonly spans: Inactive[][];
  private readonly clients: UserAdministrationClient[];
  private readonly work: Promise<void>[];
  private isOver = false;

  constructor(urls: string[], token: string, count: number) {
    this.clients = urls.map(
      (baseUrl) => new UserAdministrationClient({ baseUrl, token, retries: 0, timeoutMs: 5_000 }),
    );
    this.ids = Array.from({ length: count }, (_, index) => `${index}a`);
    this.spans = this.ids.map(() => []);
    this.work = this.ids.map((id, index) => this.change(id, this.spans[index] as Inactive[]));
  }

  get deactivations(): number {
    return this.spans.flat().length;
  }

  /** Everyone is active at the end. */
  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.work);
  }

  /** How long after the answer of its deactivation a user was let in, for each time that it was let in while inactive. */
  latenesses({ users, times }: Served): number[] {
    const late: number[] = [];
    users.forEach((user, at) => {
      const time = times[at] as number;
      const span = this.spans[user]?.find(({ from, to }) => from < time && time < to);
      if (span) late.push(time - span.from);
    });
    return late;
  }

  private async change(id: string, spans: Inactive[]): Promise<void> {
    while (!this.isOver) {
      await delay(100 + Math.random() * 500);
      await this.set(id, 'inactive');
      const span = { from: monotonicMs(), to: Infinity };
      spans.push(span);
      await delay(500 + Math.random() * 1_000);
      span.to = monotonicMs();
      await this.set(id, 'active');
    }
  }

  /** Until a process says that it is done: one that is killed may have done it, and nobody knows. */
  private async set(id: string, status: 'active' | 'inactive'): Promise<void> {
    for (;;) {
      const client = this.clients[Math.floor(Math.random() * this.clients.length)] as UserAdministrationClient;
      try {
        await client.users.assignStatus({ userIds: [id], status });
        return;
      } catch (error) {
        if (!(error instanceof UserAdministrationError && error.temporary)) throw error;
        await delay(10);
      }
    }
  }
}
