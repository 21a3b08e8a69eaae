import type { JournalFacts } from '../contract/journal';
import { type FactsOf, writableFields } from '../contract/record-fields';
import type { User } from '../directory/user.entity';
import type { NewEntry } from '../journal/new-entry';
import { fieldValues } from '../records/field-values';

/**
 * The entries about the record of a user, for all who write it. Sets of users have theirs built in SQL, from the same
 * names.
 */

type UserFacts = JournalFacts['user.created'];
type Lists = Pick<UserFacts, 'permissions' | 'workspaces' | 'groups' | 'until'>;

export const USER_CREATED = 'user.created';
export const USER_UPDATED = 'user.updated';

const FACTS = writableFields('user');
const FACTS_IF_SET = FACTS.filter(([, { isAlwaysFact }]) => !isAlwaysFact);

/** All facts, in the order in which entries show them. */
export function userFacts(
  user: Partial<User> & Pick<User, 'status'>,
  { permissions, workspaces, groups, until }: Lists,
): UserFacts {
  const values: Record<string, unknown> = fieldValues('user', user);
  const told = FACTS.filter(([name, { isAlwaysFact }]) => isAlwaysFact || (values[name] ?? null) !== null);
  const fields = Object.fromEntries(told.map(([name]) => [name, values[name] ?? null])) as FactsOf<'user'>;
  return { ...fields, permissions, workspaces, groups, ...(until && { until }) };
}

/** As {@link userFacts}, as SQL over the columns of `users`. */
export function userFactsInSql({ permissions, workspaces, groups, until }: Record<keyof Lists, string>): string {
  const always = FACTS.filter(([, { isAlwaysFact }]) => isAlwaysFact).map(factInSql);
  const ifSet = FACTS_IF_SET.map(factInSql);
  return `jsonb_build_object(${always.join(', ')}, 'permissions', ${permissions}, 'workspaces', ${workspaces},
    'groups', ${groups}) || jsonb_strip_nulls(jsonb_build_object(${ifSet.join(', ')})) || ${until}`;
}

const factInSql = ([name, { column, type }]: (typeof FACTS)[number]): string =>
  `'${name}', ${type === 'timestamptz' ? `iso_time(${column})` : column}`;

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
