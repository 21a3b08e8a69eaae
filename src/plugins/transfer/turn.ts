import { setImmediate } from 'node:timers/promises';

/** Longer than most records take, and short for whoever waits. */
const TURN_MS = 10;

/**
 * The turn of some work on the event loop. Work that waits for nothing asks between its steps whether others should be
 * served.
 *
 * @example if (turn.isOver) await turn.end();
 */
export class Turn {
  private began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.began > TURN_MS;
  }

  async end(): Promise<void> {
    await setImmediate();
    this.began = performance.now();
  }
}
