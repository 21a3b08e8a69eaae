import type { UserAdministrationClient } from '../user-administration-client.ts';
import type { ActiveUsersFollower } from './active-users.follower.ts';

/** The result of a health indicator for `@nestjs/terminus` 11 and later. */
export type HealthResult<Key extends string> = Record<Key, { status: 'up' } | { status: 'down'; reason: string }>;

/** Short, because an orchestrator treats a slow health check as a failed one. */
const TIMEOUT_MS = 2_000;

/**
 * A health indicator for `@nestjs/terminus`. It does not import terminus, and also works without it.
 *
 * @example health.check([() => userAdministration.isHealthy('user-administration')])
 */
export class UserAdministrationHealth {
  constructor(
    private readonly client: UserAdministrationClient,
    private readonly follower: ActiveUsersFollower,
  ) {}

  /** `up` if the service is ready and, in an app with guards, the status of users is current. Otherwise `down` with the reason. */
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
    return this.follower.isCurrent ? undefined : 'The status of users is not current.';
  }
}
