/** Longer than `scripts/build-if-needed.mjs` takes to notice the end of npm's shell. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Distinguishes the first SIGTERM or SIGINT from a second one. One signal can arrive several times: terminals and systemd send
 * it to every process, npm forwards it, and `npm start` sends SIGTERM when its shell has ended. So a signal within a second of
 * the first one is the same.
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
