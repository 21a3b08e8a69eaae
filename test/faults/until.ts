import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Ends what hangs. It is no measure of speed. */
const PATIENCE_MS = 90_000;

/**
 * Asks until something has happened.
 *
 * @throws if it does not happen
 */
export async function until(
  what: string,
  hasHappened: () => boolean | Promise<boolean>,
  { pauseMs = 10, patienceMs = PATIENCE_MS } = {},
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await hasHappened())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patienceMs / 1_000} s.`);
    await delay(pauseMs);
  }
}

/** The next message of another process. */
export async function nextMessage(child: ChildProcess, patienceMs = PATIENCE_MS): Promise<unknown> {
  const [message] = (await once(child, 'message', { signal: AbortSignal.timeout(patienceMs) })) as [unknown];
  return message;
}
