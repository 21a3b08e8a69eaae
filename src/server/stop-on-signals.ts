import { onStopSignals } from './stop-signals';
import { isSupervised, onStop } from './workers';

/**
 * The time to end after the process stops accepting connections. Platforms usually kill a process about ten seconds
 * after they stop it.
 */
const STOP_WITHIN_MS = 3_500;

/**
 * Ends the process on SIGTERM, SIGINT, or the supervisor's message. `end` answers the requests in progress and closes
 * the service; Nest's shutdown hooks would close it at once.
 *
 * A second signal, or a timeout, ends the process immediately. The database then rolls back what was not committed. In a
 * worker a second signal has no effect: systemd and terminals signal every process, so one signal to the service and the
 * supervisor's message arrive in either order. The supervisor kills its workers when it receives a second signal.
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
  onStopSignals(begin, () => {
    if (!isSupervised()) process.exit(1);
  });
  onStop(begin);
  return stop;
}
