import { UserAdministrationError } from '../user-administration-error.ts';
import type { UserAdministrationClient } from '../user-administration-client.ts';

/** Short, because a request of the app waits for the answer. */
const TIMEOUT_MS = 1_000;

/**
 * Asks the service whether this user is active. Do not share the answer with a later caller: the user may have been deactivated since.
 *
 * @throws UserAdministrationError if the service does not answer
 */
export async function isActiveNow(client: UserAdministrationClient, id: string): Promise<boolean> {
  try {
    const { status } = await client.users.get(id, { timeoutMs: TIMEOUT_MS, deadlineMs: TIMEOUT_MS, retries: 1 });
    return status === 'active';
  } catch (error) {
    if (error instanceof UserAdministrationError && error.code === 'user.unknown') return false;
    throw error;
  }
}
