import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { eventually, type Patience } from '../test/support/eventually';

/** Ends what hangs. It is no measure of speed. */
const PATIENCE_MS = 90_000;

/**
 * Asks until something has happened.
 *
 * @throws if it does not happen
 */
export function until(
  what: string,
  hasHappened: () => boolean | Promise<boolean>,
  { pauseMs = 10, patienceMs = PATIENCE_MS, isOver }: Patience = {},
): Promise<void> {
  const holds = async () => {
    if (await hasHappened()) return;
    throw new Error(`${what}: not ${isOver?.() ? 'before the end' : `within ${patienceMs / 1_000} s`}.`);
  };
  return eventually(holds, { pauseMs, patienceMs, isOver });
}

/** The next message of another process. */
export async function nextMessage(child: ChildProcess, patienceMs = PATIENCE_MS): Promise<unknown> {
  const [message] = (await once(child, 'message', { signal: AbortSignal.timeout(patienceMs) })) as [unknown];
  return message;
}
