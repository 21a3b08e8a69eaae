import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';

/**
 * Refuses a change that leaves the directory without an active administrator. Every write that deactivates, demotes or deletes an
 * active administrator calls this afterwards, in the same transaction.
 *
 * @throws ServiceError `directory.last_administrator`
 */
export async function requireAnAdministrator(manager: EntityManager): Promise<void> {
  await manager.query('SELECT require_administrator()');
}

/**
 * As {@link requireAnAdministrator}, and judges the caller again, because the lock of the administrator guard may have taken time.
 *
 * @param isCallerLocked whether the caller is one of the changed users. Such a caller was judged under lock, and may give up the
 *   caller's own authority
 */
export async function requireAdministratorLeft(
  manager: EntityManager,
  judged: Judged,
  isCallerLocked: boolean,
): Promise<void> {
  await manager.query('SELECT FROM administrator_guard FOR UPDATE');
  if (!isCallerLocked) await judgeCaller(manager, judged);
  await requireAnAdministrator(manager);
}
