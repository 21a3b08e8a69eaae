import type { Logger } from '@nestjs/common';

const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

/** Reports an outage of the database: at once, then at growing intervals while it lasts, and once when it is over. */
export class OutageNotice {
  private pauseMs = 0;
  private nextAt = 0;

  constructor(private readonly logger: Pick<Logger, 'warn' | 'log'>) {}

  failed(what: string): void {
    const now = performance.now();
    if (now < this.nextAt) return;
    this.logger.warn(`${what}; trying again.`);
    this.pauseMs = Math.min(2 * this.pauseMs || FIRST_PAUSE_MS, MAX_PAUSE_MS);
    this.nextAt = now + this.pauseMs;
  }

  succeeded(): void {
    if (this.pauseMs > 0) this.logger.log('The database is back.');
    this.pauseMs = 0;
    this.nextAt = 0;
  }
}
