/**
 * The time to end after the process stops accepting connections. Platforms usually kill a process ten seconds after
 * they stop it.
 */
const STOP_WITHIN_MS = 3_500;
/** Longer than `scripts/build-if-needed.mjs` takes to notice the end of npm's shell. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Ends the process on SIGTERM or SIGINT. `end` answers the requests in progress and closes the service; Nest's shutdown
 * hooks would close it at once. A second signal, or a timeout, ends the process immediately. The database then rolls
 * back what was not committed.
 *
 * @param drainMs how long `end` continues to serve before it stops accepting connections
 */
export function stopOnSignals(end: () => Promise<void>, drainMs: number): { begun: boolean } {
  const stop = { begun: false };
  const exit = (code: number) => process.exit(code);
  const begin = (): void => {
    stop.begun = true;
    setTimeout(exit, drainMs + STOP_WITHIN_MS, 1).unref();
    end().then(
      () => exit(0),
      () => exit(1),
    );
  };
  onStopSignals(begin, () => exit(1));
  return stop;
}

/**
 * Distinguishes the first SIGTERM or SIGINT from a second one. One signal can arrive several times: terminals and
 * systemd send it to every process, npm forwards it, and `npm start` sends SIGTERM when its shell has ended. So a
 * signal within a second of the first one is the same.
 */
export function onStopSignals(first: () => void, second: () => void): void {
  let firstAt: number | undefined;
  const onSignal = (): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      first();
    } else if (performance.now() - firstAt >= SAME_SIGNAL_MS) second();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
