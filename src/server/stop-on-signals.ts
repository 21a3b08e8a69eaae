import { onStopSignals } from './stop-signals';

/**
 * The time to end after the process stops accepting connections. Platforms usually kill a process about ten seconds
 * after they stop it.
 */
const STOP_WITHIN_MS = 3_500;

/**
 * Ends the process on SIGTERM or SIGINT. `end` answers the requests in progress and closes
 * the service; Nest's shutdown hooks would close it at once.
 *
 * A second signal, or a timeout, ends the process immediately. The database then rolls back what was not committed.
 *
 * @param drainMs how long `end` continues to serve before it stops accepting connections
 */
export function stopOnSignals(end: () => Promise<void>, drainMs: number): { begun: boolean } {
  const stop = { begun: false };
  const begin = (): void => {
    if (stop.begun) return;
    stop.begun = true;
    setTimeout(() => process.exit(1), drainMs + STOP_WITHIN_MS).unref();
    end().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  onStopSignals(begin, () => process.exit(1));
  return stop;
}
