import { Logger } from '@nestjs/common';
import type { DatabaseStart } from './database-startup';
import { isDatabaseUnavailable } from './sql-errors';
import { WakeSignal } from './wake-signal';

interface WorkOptions {
  /** Names the work in the log. */
  name: string;
  work(): Promise<unknown>;
  /** How often to repeat it. */
  pollMs: number;
  /** A pause before the wait for the next time, which no signal shortens. */
  rest?(): Promise<void>;
}

/**
 * Work that a process repeats for as long as it runs, from when the database is ready. The log has its failures, but
 * for outages, which the heartbeat of the database reports.
 *
 * @example
 * const repeated = new RepeatedWork(startup, { name: 'Expiry', work: () => this.carryOut(), pollMs: 1_000 });
 * repeated.begin();
 * await repeated.end();
 */
export class RepeatedWork {
  private readonly logger: Logger;
  private readonly bell = new WakeSignal();
  private running: Promise<void> | undefined;
  private isEnding = false;

  constructor(
    private readonly startup: Pick<DatabaseStart, 'ready' | 'notReadyReason'>,
    private readonly options: WorkOptions,
  ) {
    this.logger = new Logger(options.name);
  }

  begin(): void {
    this.running = this.startup.ready().then(
      () => this.run(),
      // Reported elsewhere. Here it means that there is nothing to do.
      () => undefined,
    );
  }

  /** Does not wait for the next time. */
  hint(): void {
    this.bell.ring();
  }

  /** Waits for what is being done. @returns whether the database was ready */
  async end(): Promise<boolean> {
    this.isEnding = true;
    this.bell.ring();
    if (this.startup.notReadyReason !== undefined) return false;
    await this.running;
    return true;
  }

  private async run(): Promise<void> {
    const { work, pollMs, rest } = this.options;
    while (!this.isEnding) {
      try {
        await work();
      } catch (error) {
        if (!isDatabaseUnavailable(error)) this.logger.error(error instanceof Error ? error.stack : String(error));
      }
      await rest?.();
      await this.bell.wait(pollMs);
    }
  }
}
