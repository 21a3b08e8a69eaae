import { type ErrorFacts, UserAdministrationError } from '../user-administration-error.ts';

interface Watch {
  stops: Set<() => void>;
  listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls `stop` when the signal is aborted. One signal can stop many concurrent calls: they share one listener, because Node warns of a leak
 * when there are more than ten. It is removed with the last call: Node keeps a composed signal in memory as long as it has a listener.
 *
 * @returns a function that ends this
 */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const watch = watches.get(signal) ?? begin(signal);
  watch.stops.add(stop);
  return () => {
    watch.stops.delete(stop);
    if (watch.stops.size > 0 || watches.get(signal) !== watch) return;
    signal.removeEventListener('abort', watch.listener);
    watches.delete(signal);
  };
}

function begin(signal: AbortSignal): Watch {
  const stops = new Set<() => void>();
  const watch = { stops, listener: () => stops.forEach((stop) => stop()) };
  watches.set(signal, watch);
  signal.addEventListener('abort', watch.listener, { once: true });
  return watch;
}

/** The error of a call whose signal was aborted for this reason. */
export function aborted(cause: unknown, facts?: Partial<ErrorFacts>): UserAdministrationError {
  return new UserAdministrationError({ ...facts, code: 'client.aborted', detail: 'The call was aborted.', cause });
}
