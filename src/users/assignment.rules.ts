import type { RefusedId } from '../contract/bulk';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { type BulkWishes, wantsResult } from './bulk-wishes';
import {
  countOf,
  type IdListRule,
  leftOut,
  misshapen,
  repeatsTooMuch,
  tooMany,
  unknown,
  USER_IDS,
} from './id-list.rules';

/** An assignment or an unassignment as it was sent: each list can be anything. */
export interface AssignmentRequest {
  userIds?: unknown;
  workspaces?: unknown;
  groups?: unknown;
}

/** The ids of the records that were found. */
export interface KnownIds {
  users: readonly string[];
  workspaces: readonly string[];
  /** Of the listed workspaces. */
  groups: readonly string[];
}

/** In the order of the contract (section 2, rows 3 to 7). */
export const LISTS: readonly IdListRule<keyof AssignmentRequest>[] = [
  USER_IDS,
  { list: 'workspaces', records: 'workspaces', required: 'workspace.required', invalid: 'workspace.invalid' },
  { list: 'groups', records: 'groups', invalid: 'group.invalid' },
];

const EXCESSES = ['users', 'workspaces', 'groups', 'memberships'] as const;

/**
 * The first refusal in the contract's order (section 2, rows 3 to 8), if there is one. All of a list is judged before the next
 * list: its shape, then whether every id is known.
 *
 * Without `known`, nobody has been looked for yet. Then this gives only a refusal that no look could change; for a request
 * that is too large, which is never looked at, that is the first of all that can be told without looking.
 */
export function firstRefusal(
  request: AssignmentRequest,
  wishes: BulkWishes,
  known?: KnownIds,
): ServiceError | undefined {
  const tooLong = LISTS.find((rule) => repeatsTooMuch(rule, request[rule.list]));
  if (tooLong) return tooMany(tooLong.records);
  const excess = excessOf(request, wishes);
  for (const rule of LISTS) {
    const given = request[rule.list];
    const refusal = misshapen(rule, given) ?? (known && unknown(rule, given, known[rule.records], wishes.lenient));
    if (refusal) return refusal;
    if (!known && !excess) return undefined;
  }
  return excess;
}

/** Whether every list has its shape, so that what is unknown in it can be left out. */
export function isWellShaped(request: AssignmentRequest): boolean {
  return LISTS.every((rule) => !misshapen(rule, request[rule.list]));
}

/** What was left out of a request that was done leniently. */
export function refusedIds(request: AssignmentRequest, known: KnownIds): RefusedId[] {
  return LISTS.flatMap((rule) => leftOut(rule, request[rule.list], known[rule.records]));
}

function excessOf({ userIds, workspaces, groups }: AssignmentRequest, wishes: BulkWishes): ServiceError | undefined {
  const counts = { users: countOf(userIds), workspaces: countOf(workspaces), groups: countOf(groups), memberships: 0 };
  counts.memberships = counts.users * (counts.workspaces + counts.groups);
  const excess = EXCESSES.find((what) => counts[what] > LIMITS[what]);
  if (excess) return tooMany(excess);
  const max = LIMITS.representedMemberships;
  return wantsResult(wishes) && counts.memberships > max
    ? new ServiceError('request.too_large_to_represent', { args: { max } })
    : undefined;
}
