import type { Logger } from '@nestjs/common';

/** An attempt to connect can take longer, so the pause is not measured in attempts. */
const PAUSE_MS = 4_000;

/** Reports an outage of the database: at once, then every four seconds while it lasts, and once when it is over. */
export class OutageNotice {
  private what = '';
  private repeating: NodeJS.Timeout | undefined;

  constructor(private readonly logger: Pick<Logger, 'warn' | 'log'>) {}

  failed(what: string): void {
    this.what = what;
    if (this.repeating) return;
    this.warn();
    this.repeating = setInterval(() => this.warn(), PAUSE_MS).unref();
  }

  succeeded(): void {
    if (this.repeating) this.logger.log('The database is back.');
    this.stop();
  }

  stop(): void {
    clearInterval(this.repeating);
    this.repeating = undefined;
  }

  private warn(): void {
    this.logger.warn(`${this.what}; trying again.`);
  }
}
