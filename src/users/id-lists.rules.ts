import { type ErrorCode, ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';

/**
 * The ids in a change of many users. Their DTO has checked the shape of each list; ids can repeat, and can be unknown.
 */
export interface IdLists {
  userIds?: readonly string[];
  workspaces?: readonly string[];
  groups?: readonly string[] | null;
}

/** One of the lists, with the records that it names and the refusal of an unknown one. */
export interface IdList {
  field: keyof IdLists;
  records: 'users' | 'workspaces' | 'groups';
  invalid: ErrorCode;
}

/** The ids of the records that were found. Groups belong to one of the listed workspaces. */
export type KnownIds = Readonly<Record<IdList['records'], readonly string[]>>;

const USER_IDS: IdList = { field: 'userIds', records: 'users', invalid: 'user.invalid' };
export const USERS_ALONE: readonly IdList[] = [USER_IDS];
/** In the order of their checks. */
export const USERS_AND_PLACES: readonly IdList[] = [
  USER_IDS,
  { field: 'workspaces', records: 'workspaces', invalid: 'workspace.invalid' },
  { field: 'groups', records: 'groups', invalid: 'group.invalid' },
];

/**
 * The distinct ids to look up. An element that can be no id is null: no record has that id, so it is found to be
 * unknown.
 *
 * @param represented whether the caller requests a result, which has a limit of its own
 * @throws ServiceError if the request is too large, before any query
 */
export function idsToFind(
  lists: readonly IdList[],
  request: IdLists,
  represented: boolean,
): Record<IdList['records'], (string | null)[]> {
  const ids: Record<IdList['records'], (string | null)[]> = { users: [], workspaces: [], groups: [] };
  for (const { field, records } of lists) {
    const distinct = [...new Set(request[field])];
    if (distinct.length > LIMITS[records]) throw tooMany(records);
    for (const id of distinct) ids[records].push(isIdentifier(id) ? id : null);
  }
  const memberships = ids.users.length * (ids.workspaces.length + ids.groups.length);
  if (memberships > LIMITS.memberships) throw tooMany('memberships');
  if (represented && memberships > LIMITS.representedMemberships) throw tooLargeToRepresent();
  return ids;
}

/** The refusal of a result that has more memberships, or takes more bytes, than an answer may have. */
export function tooLargeToRepresent(): ServiceError {
  return new ServiceError('request.too_large_to_represent', { args: { max: LIMITS.representedMemberships } });
}

function tooMany(records: IdList['records'] | 'memberships'): ServiceError {
  return new ServiceError(`request.too_many_${records}`, { args: { max: LIMITS[records] } });
}
