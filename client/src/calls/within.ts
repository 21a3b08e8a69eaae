import { setMaxListeners } from 'node:events';

/** Why work was stopped before it ended. */
export type Stop = 'late' | 'aborted';

/**
 * Runs work with a time limit. Rejects when the time is over or the outer signal is aborted, even if the work ignores its own signal.
 *
 * @param stopped creates the error of that rejection
 */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  stopped: (why: Stop) => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (outer?.aborted) throw stopped('aborted');
  if (outer) allowManyCalls(outer);
  const controller = new AbortController();
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
  });
  const onAbort = () => controller.abort(stopped('aborted'));
  const timer = setTimeout(() => controller.abort(stopped('late')), ms);
  outer?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}

/** One signal can stop many concurrent calls. Each adds a listener and removes it, so Node's warning of a leak would be wrong. */
function allowManyCalls(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal);
  } catch {
    // Not a signal of Node, so there is no warning either.
  }
}
