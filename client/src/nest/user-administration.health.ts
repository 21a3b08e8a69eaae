import type { UserAdministrationClient } from '../user-administration-client.ts';
import type { ActiveUsersFollower } from './active-users.follower.ts';

/** What `@nestjs/terminus` 11 and later take for the result of an indicator. */
export type HealthResult<Key extends string> = Record<Key, { status: 'up' } | { status: 'down'; reason: string }>;

/** An app that waits for long is taken for dead. */
const TIMEOUT_MS = 2_000;

/**
 * A health indicator for `@nestjs/terminus`, which it does without.
 *
 * @example health.check([() => userAdministration.isHealthy('user-administration')])
 */
export class UserAdministrationHealth {
  constructor(
    private readonly client: UserAdministrationClient,
    private readonly follower: ActiveUsersFollower,
  ) {}

  /** Whether the service can be reached and can serve, and the guards know who is active. */
  async isHealthy<Key extends string>(key: Key): Promise<HealthResult<Key>> {
    const reason = await this.whatIsWrong();
    return { [key]: reason === undefined ? { status: 'up' } : { status: 'down', reason } } as HealthResult<Key>;
  }

  private async whatIsWrong(): Promise<string | undefined> {
    try {
      await this.client.health.ready({ timeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS, retries: 0 });
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return this.follower.isCurrent ? undefined : 'It is not known who is active.';
  }
}
