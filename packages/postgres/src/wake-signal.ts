/** Wakes a waiting task. A signal while nothing waits ends the next wait at once. */
export class WakeSignal {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Waits for the next signal, at most this long. It does not keep the process alive. */
  async wait(ms: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, ms).unref();
      });
    }
    this.rung = false;
    this.wake = undefined;
  }
}
