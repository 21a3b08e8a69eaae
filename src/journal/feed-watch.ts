import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { judgeActors } from '../auth/judge-actors';
import { ServiceError } from '../contract/errors';
import type { Actor } from '../contract/journal';
import { isDatabaseUnavailable } from '../database/sql-errors';
import { Statements } from '../database/statements';
import { RequestsUnderWay } from '../server/requests-under-way';
import { earliest, type FeedPosition, furthest } from './feed-cursor';
import { concerns, type FeedPage, pageOf } from './feed-page';
import { type FeedChange, FeedReader } from './feed-reader';
import type { JournalFilter } from './journal-search';
import { WakeSignal } from './wake-signal';

/** How often to look for changes that other processes have made. */
const POLL_MS = 100;
/** The least time between two looks: one look that finds several changes costs less than several that find one each. */
const BREATH_MS = 10;
/** Followers that may wait in this process. */
const MAX_FOLLOWERS = 1_000;
const READS = ['GET', 'HEAD', 'OPTIONS'];

/** Somebody who waits, and has been told everything up to a position. */
export interface WaitingFollower {
  actor: Actor;
  filter: JournalFilter;
  limit: number;
  position: FeedPosition;
  /** Until when to wait, by `performance.now()`. */
  deadline: number;
}

interface Follower extends WaitingFollower {
  end(page: FeedPage): void;
  fail(error: unknown): void;
}

/**
 * Waits for changes on behalf of every follower in this process: one query looks for all of them, and one more judges those
 * that are about to be told something. A follower that waits holds no connection to the database.
 */
@Injectable()
export class FeedWatch implements OnModuleDestroy {
  private readonly followers = new Set<Follower>();
  /** Those that the next look is the first for. */
  private readonly arrivals = new Set<Follower>();
  private readonly bell = new WakeSignal();
  /** How far the looks have come: no follower has been told less. */
  private position: FeedPosition = { told: new Map() };
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly reader: FeedReader,
    private readonly statements: Statements,
    requests: RequestsUnderWay,
  ) {
    requests.observe(({ method = '' }, { statusCode }) => {
      if (!READS.includes(method) && statusCode < 300) this.bell.ring();
    });
    requests.closing.addEventListener('abort', () => this.dismissAll());
  }

  async onModuleDestroy(): Promise<void> {
    this.dismissAll();
    await this.running;
  }

  /** Followers that wait in this process. */
  get waiting(): number {
    return this.followers.size + this.arrivals.size;
  }

  /**
   * Waits until there is something to tell a follower. When its time is over, or the process stops, there is nothing, and the
   * position to go on from; when the caller has gone, nobody reads it.
   *
   * @throws ServiceError `service.unavailable` when too many wait already, and the refusal of a caller who may no longer be told
   */
  async wait(follower: WaitingFollower, gone: AbortSignal): Promise<FeedPage> {
    const nothing = { entries: [], position: follower.position };
    if (gone.aborted || this.isStopping) return nothing;
    if (this.waiting >= MAX_FOLLOWERS) throw new ServiceError('service.unavailable');
    return new Promise<FeedPage>((end, fail) => {
      const waiting = { ...follower, end, fail };
      this.arrivals.add(waiting);
      gone.addEventListener('abort', () => {
        this.forget(waiting);
        end(nothing);
      });
      this.running ??= this.run();
    });
  }

  private async run(): Promise<void> {
    while (this.waiting > 0) {
      if (await this.look()) continue;
      await delay(BREATH_MS);
      await this.bell.wait(POLL_MS);
    }
    this.running = undefined;
  }

  /** @returns whether there is more to read at once */
  private async look(): Promise<boolean> {
    this.admit();
    const start = this.position;
    try {
      const { changes, more } = await this.reader.look(start);
      this.position = {
        told: new Map([...start.told, ...changes.map(({ chain, number }) => [chain, number] as const)]),
      };
      await this.settle(this.findEnded(changes, start));
      return more;
    } catch (error) {
      // An outage can be over before their time is.
      const goesOn = ({ deadline }: Follower) => isDatabaseUnavailable(error) && deadline > performance.now();
      const failed = [...this.followers].filter((follower) => !goesOn(follower));
      for (const follower of failed) this.fail(follower, error);
      return false;
    }
  }

  /** Looks begin again at the earliest position of a newcomer. The others pass over what they know. */
  private admit(): void {
    for (const arrival of this.arrivals) {
      this.position = this.followers.size === 0 ? arrival.position : earliest(this.position, arrival.position);
      this.followers.add(arrival);
    }
    this.arrivals.clear();
  }

  /** Whoever has something to be told, or has waited long enough, with what each is told. */
  private findEnded(changes: readonly FeedChange[], start: FeedPosition): [Follower, FeedPage][] {
    const now = performance.now();
    return [...this.followers].flatMap((follower): [Follower, FeedPage][] => {
      const { position, filter, limit, deadline } = follower;
      if (changes.some((change) => concerns(change, filter))) {
        const page = pageOf(changes, furthest(start, position), filter, limit);
        if (page.entries.length > 0) return [[follower, page]];
      }
      return deadline > now ? [] : [[follower, { entries: [], position: furthest(this.position, position) }]];
    });
  }

  private async settle(ended: [Follower, FeedPage][]): Promise<void> {
    if (ended.length === 0) return;
    for (const [follower] of ended) this.forget(follower);
    try {
      const refusals = await judgeActors(
        this.statements,
        ended.map(([{ actor }]) => actor),
      );
      ended.forEach(([follower, page], index) => {
        const refusal = refusals[index];
        if (refusal) follower.fail(refusal);
        else follower.end(page);
      });
    } catch (error) {
      for (const [follower] of ended) follower.fail(error);
    }
  }

  private dismissAll(): void {
    this.isStopping = true;
    this.bell.ring();
    for (const follower of [...this.followers, ...this.arrivals]) {
      this.forget(follower);
      follower.end({ entries: [], position: follower.position });
    }
  }

  private fail(follower: Follower, error: unknown): void {
    this.forget(follower);
    follower.fail(error);
  }

  private forget(follower: Follower): void {
    this.followers.delete(follower);
    this.arrivals.delete(follower);
  }
}
