import { setTimeout as delay } from 'node:timers/promises';
import type { Memory, FaultyService } from './service-process';
import type { Trial } from './trial';

const MIB = 1024 * 1024;
/** Caches that fill, and code that is compiled. */
const NEAR = 32 * MIB;
/** How long connections may take to be closed. */
const PATIENCE_SECONDS = 10;

/** Whether the service uses as much memory as before, or nearly. */
export async function judgeMemory(trial: Trial, service: FaultyService, before: Memory): Promise<void> {
  let after = await service.memory();
  for (let second = 0; second < PATIENCE_SECONDS && after.used > before.used + NEAR; second++) {
    await delay(1_000);
    after = await service.memory();
  }
  const figures = ({ used, rss }: Memory) => `${Math.round(used / MIB)} MiB used of ${Math.round(rss / MIB)}`;
  trial.expect('memory afterwards', after.used <= before.used + NEAR, `${figures(after)}; before: ${figures(before)}`);
}
