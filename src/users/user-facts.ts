import type { JournalFacts } from '../contract/journal';
import type { User } from '../directory/user.entity';
import type { NewEntry } from '../journal/new-entry';

/**
 * The entries about the record of a user, for all who write it. The import builds its entries in SQL, from the same
 * names.
 */

type UserFacts = JournalFacts['user.created'];
type Lists = Pick<UserFacts, 'permissions' | 'workspaces' | 'groups' | 'until'>;

export const USER_CREATED = 'user.created';
export const USER_UPDATED = 'user.updated';

/** All facts, in the order in which entries show them. */
export function userFacts(
  { email, displayName, status, activeUntil }: Pick<User, 'email' | 'displayName' | 'status'> & Partial<User>,
  { permissions, workspaces, groups, until }: Lists,
): UserFacts {
  const end = activeUntil && { activeUntil: activeUntil.toISOString() };
  return { email, displayName, status, ...end, permissions, workspaces, groups, ...(until && { until }) };
}

/** As {@link userFacts}, as SQL over the columns of `users`. */
export function userFactsInSql({ permissions, workspaces, groups, until }: Record<keyof Lists, string>): string {
  return `jsonb_build_object('email', email, 'displayName', display_name, 'status', status,
    'permissions', ${permissions}, 'workspaces', ${workspaces}, 'groups', ${groups}) || CASE WHEN active_until IS NULL
    THEN '{}' ELSE jsonb_build_object('activeUntil', iso_time(active_until)) END
    || ${until}`;
}

export function userCreated(user: string, after: UserFacts): NewEntry {
  return { action: USER_CREATED, user, workspaces: after.workspaces, after };
}

/** Only the changed facts. */
export function userUpdated(user: string, before: Partial<UserFacts>, after: Partial<UserFacts>): NewEntry {
  return { action: USER_UPDATED, user, before, after };
}

export function userDeleted(user: string, before: UserFacts): NewEntry {
  return { action: 'user.deleted', user, workspaces: before.workspaces, before };
}

export function userRenamed(user: string, id: string): NewEntry {
  return { action: 'user.renamed', user, before: { id: user }, after: { id } };
}
