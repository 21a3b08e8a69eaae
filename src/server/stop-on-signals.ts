import { onStop } from './workers';

/** From when it takes no more connections. A platform gives a process that it stops about ten seconds, and then kills it. */
const STOP_WITHIN_MS = 3_500;

/**
 * Ends the process when it is told to stop: by SIGTERM, by SIGINT, or by the process that watches over workers. `end` answers what
 * is under way and closes the service; Nest's own shutdown hooks would close it at once.
 *
 * A second signal, or an end that takes too long, ends the process immediately. The database then rolls back what was not acknowledged.
 *
 * @param drainMs how long `end` goes on serving before it takes no more connections
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
  const onSignal = (): void => (stop.begun ? process.exit(1) : begin());
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  onStop(begin);
  return stop;
}
