import type { FollowFilter, JournalEntry } from '@user-administration/client';
import { base, heard, heardFor, service } from '../service.ts';
import { isServiceError, isSignedOut } from '../service-errors.ts';

const PAGE = 200;
const WAIT_SECONDS = 20;
/** After an answer without entries, which a proxy can give at once, and after failures in a row. */
const REST_MS = 300;
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000];
/** After how long a silence the service is asked for a sign of life, and how long that may take. */
const SILENCE_MS = 10_000;
const LIFE_MS = 2_000;

interface Follower {
  arrived: (entries: JournalEntry[]) => void;
  /** Whether the page knows what happens: it says so when it does not. */
  live: (isLive: boolean) => void;
}

/**
 * Tells what happens after the cursor, as long as the page is visible, until the signal is aborted. After a failure it goes on by itself.
 * The client's `follow` would retry as well, but not report that it fails.
 *
 * @throws UserAdministrationError `journal.pruned`, `journal.other`: the page has to begin anew
 */
export async function follow(
  filter: FollowFilter,
  cursor: string,
  { arrived, live }: Follower,
  signal: AbortSignal,
): Promise<void> {
  let after = cursor;
  let failed = 0;
  let wait = 0;
  while (!signal.aborted) {
    await becomesVisible(signal);
    const hidden = hides(signal);
    const silent = fallsSilent();
    try {
      const page = await service.journal.after(
        { ...filter, after, wait, limit: PAGE },
        { signal: AbortSignal.any([hidden.signal, silent.signal]), retries: 0 },
      );
      after = page.next;
      failed = 0;
      wait = WAIT_SECONDS;
      live(true);
      arrived(page.entries);
      if (page.entries.length === 0 && !page.more) await pause(REST_MS, hidden.signal);
    } catch (error) {
      if (signal.aborted) return;
      wait = 0;
      if (hidden.signal.aborted) continue;
      if (isServiceError(error) && error.status === 410) throw error;
      // A service that refuses a token has answered.
      if (!isSignedOut(error)) live(false);
      const asked = (isServiceError(error) && error.retryAfterMs) || 0;
      await pause(Math.max(asked, PAUSES_MS[failed++] ?? 10_000), signal);
    } finally {
      hidden.release();
      silent.release();
    }
  }
}

function becomesVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
    look();
  });
}

interface Watch {
  signal: AbortSignal;
  release: () => void;
}

/** A signal that is aborted when the service accepts requests and answers none: a request that waits for news would notice this late. */
function fallsSilent(): Watch {
  const controller = new AbortController();
  const began = performance.now();
  const silence = () => Math.min(heardFor(), performance.now() - began);
  const ask = () =>
    fetch(`${base}/health/live`, { signal: AbortSignal.timeout(LIFE_MS) }).then(heard, () => controller.abort());
  let timer: ReturnType<typeof setTimeout>;
  const look = async () => {
    if (silence() >= SILENCE_MS) await ask();
    if (!controller.signal.aborted) timer = setTimeout(() => void look(), Math.max(SILENCE_MS - silence(), LIFE_MS));
  };
  timer = setTimeout(() => void look(), SILENCE_MS);
  return { signal: controller.signal, release: () => (clearTimeout(timer), controller.abort()) };
}

/** A signal that is also aborted when the page is hidden. */
function hides(signal: AbortSignal): Watch {
  const controller = new AbortController();
  const look = () => document.hidden && controller.abort();
  document.addEventListener('visibilitychange', look);
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    release: () => document.removeEventListener('visibilitychange', look),
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
