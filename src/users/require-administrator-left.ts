import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from '../auth/judge-caller';
import { lockAdministratorGuard, requireAnAdministrator } from '../directory/last-administrator.rule';

/**
 * Call this after a change that demoted or deleted an active administrator. It locks the administrator guard, and judges the caller
 * again, because the lock may have taken time.
 *
 * @param isCallerLocked whether the caller is one of the changed users. Such a caller was judged under lock, and may give up the
 *   caller's own authority
 * @throws ServiceError `directory.last_administrator` if no active administrator would be left
 */
export async function requireAdministratorLeft(
  manager: EntityManager,
  judged: Judged,
  isCallerLocked: boolean,
): Promise<void> {
  await lockAdministratorGuard(manager);
  if (!isCallerLocked) await judgeCaller(manager, judged);
  await requireAnAdministrator(manager);
}
