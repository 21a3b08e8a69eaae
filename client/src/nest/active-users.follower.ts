import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ActiveUsers } from '../active-users/active-users.ts';
import { AskedUsers } from '../active-users/asked-users.ts';
import type { UserAdministrationClient } from '../user-administration-client.ts';
import type { ActiveUserOptions } from './user-administration.options.ts';

/** Whether a user may come in; `unknown` when nobody can say. */
export type Admission = 'active' | 'refused' | 'unknown';

/** Follows who is active for the guards of an app: not at all where there are none. */
export class ActiveUsersFollower implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('UserAdministration');
  private readonly users: ActiveUsers;
  private readonly asked: AskedUsers | undefined;
  private readonly startWithinMs: number;
  private isUsed = false;

  constructor(client: UserAdministrationClient, options: ActiveUserOptions = {}) {
    const { silentAfterMs, whenSilent = 'refuse', startWithinMs = 5_000 } = options;
    this.users = new ActiveUsers(client, {
      silentAfterMs,
      onFailure: ({ message }) => this.logger.warn(`Following who is active begins anew: ${message}`),
    });
    this.asked = whenSilent === 'ask' ? new AskedUsers(client) : undefined;
    this.startWithinMs = startWithinMs;
  }

  /** Called by each guard when it is made. */
  use(): void {
    this.isUsed = true;
    this.users.start();
  }

  /** Whether all is known that must be; true where nobody asks. */
  get isCurrent(): boolean {
    return !this.isUsed || this.users.isCurrent;
  }

  /** An app that listens before everything is known would refuse its first requests. */
  async onModuleInit(): Promise<void> {
    if (!this.isUsed || (await this.users.ready(this.startWithinMs))) return;
    this.logger.warn(`Who is active was not known within ${this.startWithinMs} ms. The app starts all the same.`);
  }

  /** After the last request has been served. */
  onApplicationShutdown(): void {
    this.users.stop();
  }

  /** At once, unless the service must be asked. */
  admission(userId: string): Admission | Promise<Admission> {
    const verdict = this.users.verdict(userId);
    return verdict === 'unknown' && this.asked ? this.ask(this.asked, userId) : verdict;
  }

  private async ask(asked: AskedUsers, userId: string): Promise<Admission> {
    try {
      return (await asked.isActive(userId)) ? 'active' : 'refused';
    } catch {
      return 'unknown';
    }
  }
}
