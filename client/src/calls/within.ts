import { onAbort } from './on-abort.ts';

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
  const controller = new AbortController();
  const over = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
  });
  const timer = setTimeout(() => controller.abort(stopped('late')), ms);
  const letGo = outer && onAbort(outer, () => controller.abort(stopped('aborted')));
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    clearTimeout(timer);
    letGo?.();
  }
}
