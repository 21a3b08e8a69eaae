import { setTimeout as delay } from 'node:timers/promises';

/** Ends what hangs, before Jest does, so that the last failure is told. It judges no speed. */
const PATIENCE_MS = 90_000;

/** Asks again until it holds, for what nothing announces; the last failure is told. */
export async function eventually(holds: () => Promise<void>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(50);
    }
  }
}
