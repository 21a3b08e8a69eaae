import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ActiveUsers } from '../active-users/active-users.ts';
import { refuseUnknownOptions } from '../calls/known-names.ts';
import { isActiveNow } from '../active-users/is-active-now.ts';
import type { UserAdministrationClient } from '../user-administration-client.ts';
import type { ActiveUserOptions } from './user-administration.options.ts';

/** The verdict on a user; `unknown` if the service cannot be reached. */
export type Admission = 'active' | 'refused' | 'unknown';

/** Knows for the guards of an app which users are active. An app without guards does not follow the journal. */
export class ActiveUsersFollower implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('UserAdministration');
  private readonly users: ActiveUsers;
  private readonly asks: boolean;
  private readonly startWithinMs: number;
  private isUsed = false;
  private isInitialized = false;

  constructor(
    private readonly client: UserAdministrationClient,
    options: ActiveUserOptions = {},
  ) {
    refuseUnknownOptions(options, { silentAfterMs: true, whenSilent: true, startWithinMs: true });
    const { silentAfterMs, whenSilent = 'refuse', startWithinMs = 5_000 } = options;
    this.users = new ActiveUsers(client, {
      silentAfterMs,
      onFailure: ({ message }) =>
        this.logger.warn(`Following the status of users was interrupted and starts again: ${message}`),
    });
    this.asks = whenSilent === 'ask';
    this.startWithinMs = startWithinMs;
  }

  /** Each guard calls this in its constructor. An app that is never initialized is never shut down either, so it must not follow. */
  use(): void {
    this.isUsed = true;
    if (this.isInitialized) this.users.start();
  }

  /** Whether the status of every user is known; always true without a guard. */
  get isCurrent(): boolean {
    return !this.isUsed || this.users.isCurrent;
  }

  /** Delays the start: before the first load, the guards would refuse every request. */
  async onModuleInit(): Promise<void> {
    this.isInitialized = true;
    if (!this.isUsed) return;
    this.users.start();
    if (await this.users.ready(this.startWithinMs)) return;
    this.logger.warn(`The status of users was not loaded within ${this.startWithinMs} ms. The app starts without it.`);
  }

  /** Runs after the last request has been answered. */
  onApplicationShutdown(): void {
    this.users.stop();
  }

  /** Returns a promise only if the service must be asked. */
  admission(userId: string): Admission | Promise<Admission> {
    const verdict = this.users.verdict(userId);
    return verdict === 'unknown' && this.asks ? this.ask(userId) : verdict;
  }

  private async ask(userId: string): Promise<Admission> {
    try {
      return (await isActiveNow(this.client, userId)) ? 'active' : 'refused';
    } catch {
      return 'unknown';
    }
  }
}
