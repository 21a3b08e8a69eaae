import type { EntityManager } from 'typeorm';
import { type Judged, judgeCaller } from './judge-caller';

/**
 * Refuses a change that leaves the directory without an active administrator. The rule is in
 * `directory/sql/require_administrator.sql`; SQL functions that deactivate or demote users call it themselves. A
 * change of many records calls this after its writes, and of one {@link requireAdministratorLeft}.
 *
 * @throws QueryFailedError that `refusalOf` translates to `directory.last_administrator`, after the transaction
 */
export async function requireAnAdministrator(manager: EntityManager, { keptAdministrator }: Judged): Promise<void> {
  await manager.query('SELECT require_administrator($1)', [keptAdministrator]);
}

/**
 * As {@link requireAnAdministrator}, for a request that has demoted or deleted an active administrator: it also judges
 * the caller again, because the lock of the administrator guard may have taken time.
 *
 * @param isCallerLocked whether the caller is one of the changed users. Such a caller was judged under lock, and may
 *   give up the caller's own authority
 */
export async function requireAdministratorLeft(
  manager: EntityManager,
  judged: Judged,
  isCallerLocked: boolean,
): Promise<void> {
  // First, so that nothing is waited for after the caller has been judged.
  await manager.query('SELECT FROM administrator_guard FOR UPDATE');
  if (!isCallerLocked) await judgeCaller(manager, judged);
  await requireAnAdministrator(manager, judged);
}
