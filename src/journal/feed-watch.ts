import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PageRoom } from '../answers/page-room';
import { judgeActors } from '../auth/judge-actors';
import type { Actor, JournalAction } from '../contract/journal';
import { isDatabaseUnavailable } from '../database/sql-errors';
import { Statements } from '../database/statements';
import { RequestsUnderWay } from '../server/requests-under-way';
import { earliest, type FeedPosition, furthest } from './feed-cursor';
import { concerns, type FeedPage, pageOf } from './feed-page';
import { type FeedPart, FeedReader } from './feed-reader';
import type { JournalFilter } from './journal-search';
import { WakeSignal } from './wake-signal';

/** How often to poll for changes of other processes. */
const POLL_MS = 100;
/** The minimum time between two polls: one poll that finds several changes is cheaper than several that find one each. */
const BREATH_MS = 10;
/** The maximum number of waiting followers of this process, and of one caller among them. */
const MAX_FOLLOWERS = 1_000;
const MAX_OF_CALLER = 50;
/** After this time, further ones are answered that there is nothing. An immediate answer would make them ask at once again. */
const SURPLUS_MS = 1_000;

/** A waiting follower, and the position up to which it has received everything. */
interface WaitingFollower {
  actor: Actor;
  filter: JournalFilter;
  limit: number;
  position: FeedPosition;
  /** The end of the wait, by `performance.now()`. */
  deadline: number;
}

interface Follower extends WaitingFollower {
  end(page: FeedPage): void;
  fail(error: unknown): void;
}

/**
 * Waits for changes on behalf of every follower of this process: one query polls for all of them, and another judges
 * those that are about to receive entries. A waiting follower holds no connection to the database.
 */
@Injectable()
export class FeedWatch implements OnModuleDestroy {
  private readonly followers = new Set<Follower>();
  /** Followers that the next poll includes for the first time. */
  private readonly arrivals = new Set<Follower>();
  private readonly bell = new WakeSignal();
  /** The position of the polls. No follower is behind it. */
  private position: FeedPosition = { delivered: new Map() };
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly reader: FeedReader,
    private readonly statements: Statements,
    private readonly requests: RequestsUnderWay,
  ) {
    requests.observeChanges(() => this.bell.ring());
    requests.closing.addEventListener('abort', () => this.dismissAll());
  }

  async onModuleDestroy(): Promise<void> {
    this.dismissAll();
    await this.running;
  }

  /** The number of waiting followers of this process. */
  get waiting(): number {
    return this.followers.size + this.arrivals.size;
  }

  /**
   * Waits until there are entries for a follower. When its time is over, or the process stops, the page is empty and has
   * the position to continue from; that of a follower beyond the limits is empty after a second. If the caller has
   * disconnected, nobody reads the page.
   *
   * @throws ServiceError the refusal of a caller who has lost authority
   */
  async wait(follower: WaitingFollower, gone: AbortSignal): Promise<FeedPage> {
    const nothing = nothingFor(follower);
    if (gone.aborted || this.isStopping) return nothing;
    if (!this.hasRoomFor(follower.actor)) {
      const rest = Math.min(SURPLUS_MS, follower.deadline - performance.now());
      await delay(rest, undefined, { signal: AbortSignal.any([gone, this.requests.closing]) }).catch(() => undefined);
      return nothing;
    }
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

  private hasRoomFor({ kind, id }: Actor): boolean {
    const ofCaller = [...this.followers, ...this.arrivals].filter(
      ({ actor }) => actor.kind === kind && actor.id === id,
    );
    return this.waiting < MAX_FOLLOWERS && ofCaller.length < MAX_OF_CALLER;
  }

  private async run(): Promise<void> {
    while (this.waiting > 0) {
      if (await this.look()) continue;
      await delay(BREATH_MS);
      await this.bell.wait(POLL_MS);
    }
    this.running = undefined;
  }

  /** @returns whether more can be read at once */
  private async look(): Promise<boolean> {
    this.admit();
    const start = this.position;
    try {
      const part = await this.reader.look(start, { actions: this.actions });
      this.position = {
        delivered: new Map([...start.delivered, ...part.changes.map(({ chain, number }) => [chain, number] as const)]),
      };
      await this.settle(this.findEnded(part, start));
      return part.more;
    } catch (error) {
      // An outage can end before their time is over.
      const goesOn = ({ deadline }: Follower) => isDatabaseUnavailable(error) && deadline > performance.now();
      const failed = [...this.followers].filter((follower) => !goesOn(follower));
      for (const follower of failed) {
        this.forget(follower);
        follower.fail(error);
      }
      return false;
    }
  }

  /** The actions that any follower asks for. Undefined if one asks for all of them. */
  private get actions(): readonly JournalAction[] | undefined {
    const wanted = [...this.followers].map(({ filter }) => filter.action);
    return wanted.every((actions) => actions !== undefined) ? [...new Set(wanted.flat())] : undefined;
  }

  /** Polls restart at the earliest position of a new follower. The others skip what they have received. */
  private admit(): void {
    for (const arrival of this.arrivals) {
      this.position = this.followers.size === 0 ? arrival.position : earliest(this.position, arrival.position);
      this.followers.add(arrival);
    }
    this.arrivals.clear();
  }

  /** The followers with entries or whose time is over, each with its page. */
  private findEnded({ changes, more }: FeedPart, start: FeedPosition): [Follower, FeedPage][] {
    const now = performance.now();
    return [...this.followers].flatMap((follower): [Follower, FeedPage][] => {
      const { position, filter, limit, deadline } = follower;
      if (changes.some((change) => concerns(change, filter))) {
        const page = pageOf(changes, furthest(start, position), filter, new PageRoom(limit));
        if (page.entries.length > 0) return [[follower, { ...page, more: more || page.more }]];
      }
      return deadline > now ? [] : [[follower, { entries: [], position: furthest(this.position, position), more }]];
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
      follower.end(nothingFor(follower));
    }
  }

  private forget(follower: Follower): void {
    this.followers.delete(follower);
    this.arrivals.delete(follower);
  }
}

/** Entries of the last moment may not have been read. */
function nothingFor({ position }: WaitingFollower): FeedPage {
  return { entries: [], position, more: true };
}
