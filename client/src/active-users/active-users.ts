import { setTimeout as sleep } from 'node:timers/promises';
import { pauseBefore } from '../calls/retry.rules.ts';
import { queryString } from '../calls/wire.rules.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import type { UserAdministrationClient } from '../user-administration-client.ts';
import { DECISIVE_ACTIONS, RefusedUsers, userOf } from './refused-users.ts';

interface ActiveUsersOptions {
  /**
   * How old the newest answer of the service may be, in milliseconds from its request; then every verdict is `unknown`. At least 3,000.
   * Default: 5,000.
   */
  silentAfterMs?: number;
  /** Receives each error that interrupts following, such as a refused token. Following restarts after a pause. */
  onFailure?: (error: UserAdministrationError) => void;
}

/** `unknown`: the first load has not finished, or the service has not answered for `silentAfterMs`. */
type Verdict = 'active' | 'refused' | 'unknown';

const PAGE = 200;
/** Brief entries of the journal on a page, at most. */
const ENTRIES = 10_000;
/** A page with fewer entries was not cut because of their size. A proxy may have removed the header that announces more. */
const CERTAINLY_LAST = 500;
/** Pages of the journal after which loading anew may be faster. */
const BEHIND = 5;
/** The most ids that the service accepts in one filter. */
const MAX_IDS = 100;
/** Every server takes a request line of 8,000 bytes (RFC 9112 section 3). The rest of it must fit as well. */
const MAX_QUERY = 7_000;
/** How long an answer may take in addition to its `wait`, at most. */
const GRACE_MS = 1_500;
/** Room for the request after a lost answer, which does not wait. */
const RETRY_MS = 100;

/**
 * Knows which users are active without a request per user. It loads the inactive and deleted users, and then follows the journal. The
 * cursor of the journal is taken before the load, so that no change in between is lost. What the journal cannot tell yet, because
 * 100,000 other changes come before it, the service tells by statuses. Only the ids of inactive and deleted users are
 * kept in memory.
 */
export class ActiveUsers {
  private readonly silentAfterMs: number;
  private readonly onFailure: (error: UserAdministrationError) => void;
  private readonly stopping = new AbortController();
  private readonly begun: Promise<void>;
  private hasBegun: () => void = () => undefined;
  private started = false;
  private refused = new RefusedUsers();
  /** The ids are complete up to this monotonic time of `performance.now()`: when they were asked for, not when the answer came. */
  private knownAt = -Infinity;

  /** @throws UserAdministrationError `client.option_invalid` */
  constructor(
    private readonly client: UserAdministrationClient,
    { silentAfterMs = 5_000, onFailure = () => undefined }: ActiveUsersOptions = {},
  ) {
    if (!Number.isInteger(silentAfterMs) || silentAfterMs < 3_000) {
      const detail = 'silentAfterMs must be a whole number of 3000 or more.';
      throw new UserAdministrationError({ code: 'client.option_invalid', detail });
    }
    this.silentAfterMs = silentAfterMs;
    this.onFailure = onFailure;
    this.begun = new Promise((resolve) => (this.hasBegun = resolve));
  }

  /** Starts to follow. Further calls have no effect. */
  start(): void {
    if (this.started) return;
    this.started = true;
    void this.followAlways(this.stopping.signal);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Waits for the first load, at most `withinMs`. Resolves to `isCurrent`. */
  async ready(withinMs: number): Promise<boolean> {
    await Promise.race([this.begun, sleep(withinMs, undefined, { ref: false })]);
    return this.isCurrent;
  }

  /** Whether the service has answered a request of the last `silentAfterMs`. */
  get isCurrent(): boolean {
    return performance.now() - this.knownAt < this.silentAfterMs;
  }

  /** Number of ids in memory. */
  get size(): number {
    return this.refused.size;
  }

  verdict(userId: string): Verdict {
    if (!this.isCurrent) return 'unknown';
    return this.refused.has(userId) ? 'refused' : 'active';
  }

  private async followAlways(signal: AbortSignal): Promise<void> {
    for (let failed = 1; !signal.aborted; failed++) {
      try {
        await this.follow(signal, () => (failed = 0));
      } catch (error) {
        if (signal.aborted) return;
        this.onFailure(error as UserAdministrationError);
        await sleep(pauseBefore(failed, undefined), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Loads the refused users, then follows the journal. Ends when it is so far behind that loading anew takes fewer requests, or with an
   * error: `Following` retries temporary failures.
   */
  private async follow(signal: AbortSignal, onNews: () => void): Promise<void> {
    const { next: after } = await this.client.journal.after(
      { after: 'now', limit: 1, brief: true, statuses: true },
      { signal },
    );
    const refused = await this.refusedNow(signal);
    const { wait, timeoutMs } = pollsWithin(this.silentAfterMs);
    const following = this.client.journal.follow(
      { after, wait, limit: ENTRIES, action: DECISIVE_ACTIONS, brief: true, statuses: true },
      { signal, timeoutMs, deadlineMs: timeoutMs },
    );
    let behind = 0;
    for await (const { entries, more, statuses } of following.pages()) {
      refused.apply(entries);
      if (statuses) refused.foresee(statuses);
      // As long as there are more entries, the ids are not complete yet.
      if (more || entries.length >= CERTAINLY_LAST) {
        behind += 1;
        if (behind > BEHIND + refused.size / PAGE) return;
        continue;
      }
      behind = 0;
      this.refused = refused;
      this.knownAt = following.askedAt;
      this.hasBegun();
      onNews();
    }
  }

  /** All inactive users, and all ids that users have left, by a deletion or for another id, and that nobody has got since. */
  private async refusedNow(signal: AbortSignal): Promise<RefusedUsers> {
    const refused = new RefusedUsers();
    for await (const { id } of this.client.users.list({ status: 'inactive', limit: PAGE }, { signal })) refused.add(id);
    for (const id of await this.left(signal)) refused.add(id);
    return refused;
  }

  private async left(signal: AbortSignal): Promise<Set<string>> {
    const left = new Set<string>();
    const action = ['user.deleted', 'user.renamed'] as const;
    const entries = this.client.journal.list({ action, limit: ENTRIES, brief: true, statuses: true }, { signal });
    for await (const entry of entries) left.add(userOf(entry));
    for (const ids of filtersOf(left)) {
      const again = this.client.users.list({ id: ids, limit: MAX_IDS }, { signal });
      for await (const { id } of again) left.delete(id);
    }
    return left;
  }
}

/**
 * An answer is as old as its request. So a request, its answer after `wait` seconds, and a second request whose answer is lost must
 * fit into `silentAfterMs`: then one lost answer does not make the verdict unknown.
 */
function pollsWithin(silentAfterMs: number): { wait: number; timeoutMs: number } {
  const wait = Math.max(1, Math.floor((silentAfterMs - GRACE_MS) / 2_000));
  const grace = Math.min(GRACE_MS, silentAfterMs - 2_000 * wait - RETRY_MS);
  return { wait, timeoutMs: wait * 1_000 + grace };
}

/** Divides ids into lists that fit into the query of one request each. */
function filtersOf(ids: Iterable<string>): string[][] {
  const filters: string[][] = [];
  let room = 0;
  for (const id of ids) {
    // Short ids need more than their length, so that a list has at most MAX_IDS.
    const needed = Math.max(queryString({ id }).length, MAX_QUERY / MAX_IDS);
    if (needed > room) {
      filters.push([]);
      room = MAX_QUERY;
    }
    filters.at(-1)?.push(id);
    room -= needed;
  }
  return filters;
}
