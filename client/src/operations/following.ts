import { aborted } from '../calls/on-abort.ts';
import { pause } from '../calls/pause.ts';
import { pauseBefore } from '../calls/retry.rules.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { unexpected } from './pages.ts';

/** The entries after a cursor. */
export interface FollowedPage<Entry> {
  entries: Entry[];
  /** The cursor after these entries. Store it when you have processed them, to continue from there after a restart. */
  next: string;
  /** Whether more entries can be read at once. With filters, a page can be empty although there are more. */
  more: boolean;
  /** With `statuses`: the users whom changes without entries concern, as they are now. Complete if there is no `more`. */
  statuses?: UnsealedStatuses;
}

/** The ids of active users; those of inactive ones, and ids that nobody has any more. */
export interface UnsealedStatuses {
  active: string[];
  inactive: string[];
}

/** Reads the entries after a cursor. Without any, the service waits up to `wait` seconds for the first one. */
type FollowReader<Entry> = (after: string, wait: number, signal?: AbortSignal) => Promise<FollowedPage<Entry>>;

interface FollowingOptions {
  after: string;
  wait: number;
  signal?: AbortSignal;
}

/**
 * Follows the journal without end. After a temporary failure, or pages of a proxy in between, it continues where it was. It ends when the loop
 * is left, when the signal is aborted, or with an error that is not temporary, such as a token without rights.
 *
 * @example for await (const entry of client.journal.follow({ after: 'now' })) console.log(entry.action, entry.user);
 */
export class Following<Entry> implements AsyncIterable<Entry> {
  /**
   * When the newest page was asked for, in the monotonic time of `performance.now()`. If it has no `more`, the entries are complete up to
   * then: nobody knows how long the answer was under way.
   */
  askedAt = -Infinity;

  constructor(
    private readonly read: FollowReader<Entry>,
    private readonly options: FollowingOptions,
  ) {}

  /** Yields page by page, with the cursors. A page without `more` means that there are no further entries up to now. */
  async *pages(): AsyncGenerator<FollowedPage<Entry>, void, undefined> {
    const { wait, signal } = this.options;
    let { after } = this.options;
    let failed = 0;
    let isFirst = true;
    for (;;) {
      let page: FollowedPage<Entry>;
      // The first request, and the first after a failure, do not wait, so that the caller soon has the current state.
      const isImmediate = isFirst || failed > 0;
      const began = performance.now();
      try {
        page = await this.read(after, isImmediate ? 0 : wait, signal);
      } catch (error) {
        if (!(error instanceof UserAdministrationError) || !passes(error, !isFirst)) throw error;
        failed += 1;
        await rest(failed, error, signal);
        continue;
      }
      failed = 0;
      isFirst = false;
      if (page.entries.length > 0 && page.next === after)
        throw unexpected('the cursor after these entries is that before them');
      const isIdle = page.entries.length === 0 && (!page.more || page.next === after);
      after = page.next;
      this.askedAt = began;
      yield page;
      const rested = performance.now() - began;
      if (isIdle && !isImmediate && rested < IDLE_MS) await breathe(IDLE_MS - rested, signal);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const { entries } of this.pages()) yield* entries;
  }
}

/**
 * The pauses before the first attempts after a failure, in milliseconds, regardless of `Retry-After`: another process of the service may
 * already accept requests, and the next entry may be a deactivation.
 */
const HURRY_MS = [10, 20, 40];

/**
 * The minimum time from a request that returns nothing to the next one. Without it, the loop would never rest if answers do not wait, such as
 * those of a proxy.
 */
const IDLE_MS = 100;

/** Whether the failure may pass. An answer of another server does if it is a server error, or if the service has answered at this address before. */
function passes({ temporary, code, status }: UserAdministrationError, hasAnswered: boolean): boolean {
  const isForeign = code === 'client.unexpected_answer' && status !== undefined;
  return temporary || (isForeign && (hasAnswered || status >= 500));
}

/** After these attempts, and after a 429, the pause is that of any other call. */
async function rest(failed: number, error: UserAdministrationError, signal: AbortSignal | undefined): Promise<void> {
  const hurry = error.status === 429 ? undefined : HURRY_MS[failed - 1];
  await breathe(hurry ?? pauseBefore(failed, error.retryAfterMs) ?? 60_000, signal);
}

async function breathe(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause(ms, signal);
  } catch (cause) {
    throw aborted(cause);
  }
}
