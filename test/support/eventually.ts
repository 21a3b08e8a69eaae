import { setTimeout as delay } from 'node:timers/promises';

/** Asks again until it holds, for what nothing announces; the last failure is told. */
export async function eventually(holds: () => Promise<void>, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(50);
    }
  }
}
