/** Who is told, such as a log. */
export interface Listener {
  warn(message: string): void;
  log(message: string): void;
}

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

/** Tells of a database that is away at once, then ever more rarely while it stays away, and once that it is back. */
export class OutageNotice {
  private pauseMs = 0;
  private nextAt = 0;

  constructor(private readonly listener: Listener) {}

  /** It was asked, and is away. */
  away(why: string): void {
    const now = performance.now();
    if (now < this.nextAt) return;
    this.listener.warn(`The database is away (${why}); trying again.`);
    this.pauseMs = Math.min(2 * this.pauseMs || FIRST_PAUSE_MS, MAX_PAUSE_MS);
    this.nextAt = now + this.pauseMs;
  }

  /** It was asked, and answered. */
  answered(): void {
    if (this.pauseMs > 0) this.listener.log('The database is back.');
    this.pauseMs = 0;
    this.nextAt = 0;
  }
}
