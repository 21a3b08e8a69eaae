import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Callers } from '../auth/callers';
import type { Actor } from '../contract/journal';
import { isDatabaseUnavailable } from '@user-administration/postgres';
import { RequestsUnderWay } from '@user-administration/http';
import type { JournalEntryDto } from './dto/journal-page.dto';
import { FollowerCursor } from './follower-cursor';
import { concerns, isRenamedTo, type JournalFilter } from './journal-filter';
import { type FoundChanges, JournalReader, pageOf } from './journal-reader';
import { Sealer } from './sealer';

/** The number of entries that are read at once for all followers. */
const READ_ENTRIES = 1_000;
/** The maximum number of waiting followers of this process, and of one caller among them. */
const MAX_FOLLOWERS = 1_000;
const MAX_OF_CALLER = 50;
/**
 * After this time, further ones are answered that there is nothing. An immediate answer would make them ask at once
 * again.
 */
const SURPLUS_MS = 1_000;
/** The pause of a follower that waits through an outage. */
const OUTAGE_MS = 100;

/** A waiting follower, and the head up to which it has received everything. */
interface WaitingFollower {
  actor: Actor;
  filter: JournalFilter;
  limit: number;
  brief?: boolean;
  cursor: FollowerCursor;
  waitMs: number;
  /** How soon the wait ends although there is nothing, for a follower that looks elsewhere and then waits again. */
  lookMs?: number;
}

/** The entries up to a position, and the head up to which they were read. */
export interface FollowedPage {
  entries: JournalEntryDto[];
  end: number;
  bound: FollowerCursor;
  /** Whether it cannot wait again: the process stops, the caller has left, or has too many followers. */
  isOver?: boolean;
}

/**
 * Waits for entries. A waiting follower holds no connection to the database, and what comes is read once for all of
 * them.
 */
@Injectable()
export class WaitingFollowers {
  private readonly callers: string[] = [];
  private newest: { after: number; until: FollowerCursor; found: Promise<FoundChanges> } | undefined;

  constructor(
    private readonly reader: JournalReader,
    private readonly sealer: Sealer,
    private readonly judge: Callers,
    private readonly requests: RequestsUnderWay,
  ) {}

  /** The number of waiting followers of this process. */
  get waiting(): number {
    return this.callers.length;
  }

  /**
   * Waits until there are entries for a follower. When its time is over, or the process stops, the page is empty and
   * has the position to continue from; that of a follower beyond the limits is empty after a second. If the caller has
   * disconnected, the page is discarded.
   *
   * @throws ServiceError the refusal of a caller who has lost authority
   */
  async wait(follower: WaitingFollower, gone: AbortSignal): Promise<FollowedPage> {
    const { cursor, waitMs, lookMs = waitMs, actor } = follower;
    const caller = `${actor.kind} ${actor.id}`;
    if (this.waiting >= MAX_FOLLOWERS || this.callers.filter((other) => other === caller).length >= MAX_OF_CALLER) {
      const ms = Math.min(SURPLUS_MS, waitMs);
      await this.atMost(ms, gone, (over) => delay(ms, undefined, { signal: over }).catch(() => undefined));
      return { entries: [], end: cursor.position, bound: cursor, isOver: true };
    }
    this.callers.push(caller);
    try {
      const page = await this.atMost(Math.min(waitMs, lookMs), gone, (over) => this.entriesFor(follower, over));
      if (!gone.aborted) await this.judge.judgeAgain(actor);
      return { ...page, isOver: gone.aborted || this.requests.closing.aborted };
    } finally {
      this.callers.splice(this.callers.indexOf(caller), 1);
    }
  }

  /** Does something that ends with its signal: after so long, when the caller leaves, or when the process stops. */
  private async atMost<T>(ms: number, gone: AbortSignal, work: (over: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const end = () => over.abort();
    const signals = [gone, this.requests.closing];
    if (signals.some(({ aborted }) => aborted)) end();
    for (const signal of signals) signal.addEventListener('abort', end);
    const timer = setTimeout(end, ms);
    try {
      return await work(over.signal);
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }

  private async entriesFor(
    { filter, limit, brief = false, cursor }: WaitingFollower,
    over: AbortSignal,
  ): Promise<FollowedPage> {
    for (let bound = cursor, after = cursor.position; ;) {
      const head = await this.sealer.headAfter(bound, over);
      // A head that is not longer is that of another database, to which this one has failed over.
      if (!head || head.position <= after) return { entries: [], end: after, bound };
      bound = FollowerCursor.of(head);
      while (after < head.position && !over.aborted) {
        const found = await this.read(after, bound).catch((error: unknown) => {
          if (isDatabaseUnavailable(error)) return delay(OUTAGE_MS);
          throw error;
        });
        if (!found) continue;
        const until = found.end ?? head.position;
        const changes = found.changes.filter((change) => concerns(change, filter));
        const span = { after, until };
        // A user who gets the id brings along earlier entries, which only the reader finds.
        const { entries, end = until } = changes.some((change) => isRenamedTo(change, filter.user))
          ? await this.reader.page(filter, span, limit, true, brief)
          : pageOf(changes, span, { limit, isForward: true, brief, wanted: filter.user });
        if (entries.length > 0) return { entries, end, bound };
        after = until;
      }
    }
  }

  /** Followers that have received the same share a reading. */
  private read(after: number, until: FollowerCursor): Promise<FoundChanges> {
    if (this.newest?.after !== after || String(this.newest.until) !== String(until)) {
      const found = this.reader.find({}, { after, until: until.position }, READ_ENTRIES, true);
      found.catch(() => (this.newest = undefined));
      this.newest = { after, until, found };
    }
    return this.newest.found;
  }
}
