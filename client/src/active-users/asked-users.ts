import { UserAdministrationError } from '../user-administration-error.ts';
import type { UserAdministrationClient } from '../user-administration-client.ts';

/** A request waits for the answer, so it must come soon. */
const TIMEOUT_MS = 1_000;

/** Asks the service about one user at a time, once for all who want to know it at the same moment. */
export class AskedUsers {
  private readonly asked = new Map<string, Promise<boolean>>();

  constructor(private readonly client: UserAdministrationClient) {}

  /**
   * Whether this user is active.
   *
   * @throws UserAdministrationError when the service does not say
   */
  isActive(id: string): Promise<boolean> {
    const asked = this.asked.get(id) ?? this.ask(id).finally(() => this.asked.delete(id));
    this.asked.set(id, asked);
    return asked;
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
