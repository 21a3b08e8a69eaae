import { setTimeout as delay } from 'node:timers/promises';

/** Ends a hanging test before Jest does, so that the last failure is reported. It is no measure of speed. */
const PATIENCE_MS = 90_000;

export interface Patience {
  pauseMs?: number;
  patienceMs?: number;
  /** Whether no further attempt can succeed, for example because a process has ended. */
  isOver?: () => boolean;
}

/** Retries an assertion until it holds, for conditions without an event; the last failure is reported. */
export async function eventually(
  holds: () => Promise<void> | void,
  { pauseMs = 50, patienceMs = PATIENCE_MS, isOver = () => false }: Patience = {},
): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    // Judged before the attempt, which sees everything that happened until then.
    const isLast = isOver() || performance.now() > end;
    try {
      return await holds();
    } catch (error) {
      if (isLast) throw error;
      await delay(pauseMs);
    }
  }
}
