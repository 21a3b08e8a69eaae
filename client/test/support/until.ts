import { setTimeout as sleep } from 'node:timers/promises';

/** Polls for a condition that no event announces. */
export async function until(holds: () => boolean, withinMs = 20_000): Promise<void> {
  for (const end = performance.now() + withinMs; !holds(); await sleep(10)) {
    if (performance.now() > end) throw new Error(`It did not come to hold: ${holds.toString()}`);
  }
}
