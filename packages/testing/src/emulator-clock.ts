import { performance } from 'node:perf_hooks';

/** Taken when the kit is loaded, so that no test can move it: fake timers and a replaced `Date` change only what is read later. */
const monotonic = performance.now.bind(performance);

/**
 * The clock of the service's process, read in the test's process. It judges the times of tokens, so tokens are made by it, whatever a test does
 * with its own clock.
 *
 * @param now the time there, which has just arrived
 */
export function emulatorClock(now: number): () => number {
  const began = monotonic();
  return () => now + (monotonic() - began);
}
