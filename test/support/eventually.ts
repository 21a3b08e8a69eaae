import { setTimeout as delay } from 'node:timers/promises';

/** Ends a hanging test before Jest does, so that the last failure is reported. It is no measure of speed. */
const PATIENCE_MS = 90_000;

/** Retries an assertion until it holds, for conditions without an event; the last failure is reported. */
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
