import { UserAdministrationError } from '../user-administration-error.ts';
import type { UserAdministrationClient } from '../user-administration-client.ts';

/** Short, because a request of the app waits for the answer. */
const TIMEOUT_MS = 1_000;

/** Looks up single users. Simultaneous lookups of the same user share one request. */
export class UserLookup {
  private readonly pending = new Map<string, Promise<boolean>>();

  constructor(private readonly client: UserAdministrationClient) {}

  /**
   * Whether this user is active.
   *
   * @throws UserAdministrationError if the service does not answer
   */
  isActive(id: string): Promise<boolean> {
    const pending = this.pending.get(id) ?? this.ask(id).finally(() => this.pending.delete(id));
    this.pending.set(id, pending);
    return pending;
  }

  private async ask(id: string): Promise<boolean> {
    try {
      const { status } = await this.client.users.get(id, { timeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS, retries: 1 });
      return status === 'active';
    } catch (error) {
      if (error instanceof UserAdministrationError && error.code === 'user.unknown') return false;
      throw error;
    }
  }
}
