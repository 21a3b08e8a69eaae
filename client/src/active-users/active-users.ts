import { setTimeout as sleep } from 'node:timers/promises';
import { pauseBefore } from '../calls/retry.rules.ts';
import type { JournalFilter } from '../operations/journal.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import type { UserAdministrationClient } from '../user-administration-client.ts';
import { RefusedUsers } from './refused-users.ts';

export interface ActiveUsersOptions {
  /** After how long without news nothing is known any more: 3,000 or more. Default: 5,000. */
  silentAfterMs?: number;
  /** Told of what stops the following, such as a token that is refused. It begins anew all the same. */
  onFailure?: (error: UserAdministrationError) => void;
}

/** `unknown`: there was no news for too long. */
export type Verdict = 'active' | 'refused' | 'unknown';

const PAGE = 200;
/** How much longer than it waits an answer may take. */
const GRACE_MS = 1_500;

/**
 * Knows of every user whether the service would let them in, without asking it: by the list of the inactive, and by the journal,
 * followed from a moment before the list. It keeps the ids of the inactive and the deleted, and of nobody else.
 */
export class ActiveUsers {
  private readonly silentAfterMs: number;
  private readonly onFailure: (error: UserAdministrationError) => void;
  private readonly stopping = new AbortController();
  private readonly begun: Promise<void>;
  private hasBegun: () => void = () => undefined;
  private started = false;
  private refused = new RefusedUsers();
  /** When everything was known last, by a clock that nobody sets. */
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

  /** Begins to follow. Does nothing the second time. */
  start(): void {
    if (this.started || this.stopping.signal.aborted) return;
    this.started = true;
    void this.followAlways(this.stopping.signal);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Waits until everything is known for the first time, and no longer than this. */
  async ready(withinMs: number): Promise<boolean> {
    await Promise.race([this.begun, sleep(withinMs, undefined, { ref: false })]);
    return this.isCurrent;
  }

  /** Whether there was news of late. */
  get isCurrent(): boolean {
    return performance.now() - this.knownAt < this.silentAfterMs;
  }

  /** How many ids are kept. */
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

  /** Only ends by a failure that is not temporary. */
  private async follow(signal: AbortSignal, onNews: () => void): Promise<void> {
    const after = await this.client.journal.now({ signal });
    const refused = await this.refusedNow(signal);
    // Twice in the time that may pass without news, so that one answer that is lost goes unnoticed.
    const wait = Math.max(1, Math.floor((this.silentAfterMs - 1_000) / 2_000));
    const timeoutMs = wait * 1_000 + GRACE_MS;
    const following = this.client.journal.follow(
      { after, wait, limit: PAGE },
      { signal, timeoutMs, deadlineMs: timeoutMs },
    );
    for await (const { entries } of following.pages()) {
      refused.apply(entries);
      // A page that is full may have another behind it.
      if (entries.length === PAGE) continue;
      this.refused = refused;
      this.knownAt = performance.now();
      this.hasBegun();
      onNews();
    }
  }

  /** Everyone who is inactive, and everyone who was deleted and has not been made again. */
  private async refusedNow(signal: AbortSignal): Promise<RefusedUsers> {
    const refused = new RefusedUsers();
    for await (const { id } of this.client.users.list({ status: 'inactive', limit: PAGE }, { signal })) refused.add(id);
    for (const id of await this.deleted(signal)) refused.add(id);
    return refused;
  }

  private async deleted(signal: AbortSignal): Promise<Set<string>> {
    const deleted = new Set<string>();
    const filter = { action: 'user.deleted', limit: PAGE } as unknown as JournalFilter;
    for await (const { user } of this.client.journal.list(filter, { signal })) if (user !== null) deleted.add(user);
    const ids = [...deleted];
    for (let at = 0; at < ids.length; at += 100) {
      const again = this.client.users.list({ id: ids.slice(at, at + 100), limit: 100 }, { signal });
      for await (const { id } of again) deleted.delete(id);
    }
    return deleted;
  }
}
