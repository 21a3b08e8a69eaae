import { setTimeout as sleep } from 'node:timers/promises';
import { pauseBefore } from '../calls/retry.rules.ts';
import { UserAdministrationError } from '../user-administration-error.ts';

/** What has happened since a cursor. */
export interface FollowedPage<Entry> {
  entries: Entry[];
  /** Where to go on. Keep it once the entries are dealt with, to go on there after a restart. */
  next: string;
}

/** Reads what comes after a cursor, and waits for it as many seconds as it is told. */
export type FollowReader<Entry> = (after: string, wait: number, signal?: AbortSignal) => Promise<FollowedPage<Entry>>;

export interface FollowingOptions {
  after: string;
  wait: number;
  signal?: AbortSignal;
}

/**
 * Follows the journal for ever: it ends when the loop is left, when the signal is aborted, or when the service refuses. While the
 * service is out of reach it tries again, and goes on where it was.
 *
 * @example for await (const entry of client.journal.follow({ after: 'now' })) console.log(entry.action, entry.user);
 */
export class Following<Entry> implements AsyncIterable<Entry> {
  constructor(
    private readonly read: FollowReader<Entry>,
    private readonly options: FollowingOptions,
  ) {}

  /** The pages as they come, also those without entries: each says that nothing has been missed until now. */
  async *pages(): AsyncGenerator<FollowedPage<Entry>, void, undefined> {
    const { wait, signal } = this.options;
    let { after } = this.options;
    let failed = 0;
    let isFirst = true;
    for (;;) {
      let page: FollowedPage<Entry>;
      try {
        // How things are at the beginning, and at the end of an outage, is asked without a wait.
        page = await this.read(after, isFirst || failed > 0 ? 0 : wait, signal);
      } catch (error) {
        if (!(error instanceof UserAdministrationError) || !error.temporary) throw error;
        failed += 1;
        await rest(failed, error, signal);
        continue;
      }
      failed = 0;
      isFirst = false;
      after = page.next;
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const { entries } of this.pages()) yield* entries;
  }
}

/**
 * In ms, before the first attempts after a failure, whatever its answer asked for: another process of the service may be there
 * already, and what is not known yet may be a deactivation.
 */
const HURRY_MS = [10, 20, 40];

/** Like any other call after the first attempts, and when the caller has sent too much. */
async function rest(failed: number, error: UserAdministrationError, signal: AbortSignal | undefined): Promise<void> {
  const hurry = error.status === 429 ? undefined : HURRY_MS[failed - 1];
  const ms = hurry ?? pauseBefore(failed, error.retryAfterMs) ?? 60_000;
  try {
    await sleep(ms, undefined, { signal });
  } catch (cause) {
    throw new UserAdministrationError({ code: 'client.aborted', detail: 'The call was aborted.', cause });
  }
}
