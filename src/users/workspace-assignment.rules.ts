import type { RefusedId } from '../contract/bulk';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { type BulkOptions, wantsResult } from './bulk-options';
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

/** An assignment or an unassignment as sent: each list can be anything. */
export interface AssignmentRequest {
  userIds?: unknown;
  workspaces?: unknown;
  groups?: unknown;
}

/** The ids of the records that were found. */
export interface KnownIds {
  users: readonly string[];
  workspaces: readonly string[];
  /** Groups of the listed workspaces. */
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
 * The first refusal in the contract's order (section 2, rows 3 to 8), if there is one. Each list is checked completely
 * before the next: its shape, then whether every id is known.
 *
 * Without `known`, the database has not been queried yet. The result is then only a refusal that no query could change;
 * for a request that is too large, which is never looked up, it is the first refusal that needs no query.
 */
export function firstRefusal(
  request: AssignmentRequest,
  options: BulkOptions,
  known?: KnownIds,
): ServiceError | undefined {
  const tooLong = LISTS.find((rule) => repeatsTooMuch(rule, request[rule.list]));
  if (tooLong) return tooMany(tooLong.records);
  const excess = excessOf(request, options);
  for (const rule of LISTS) {
    const given = request[rule.list];
    const refusal = misshapen(rule, given) ?? (known && unknown(rule, given, known[rule.records], options.lenient));
    if (refusal) return refusal;
    if (!known && !excess) return undefined;
  }
  return excess;
}

/** Whether every list is well-formed, so that unknown ids can be skipped. */
export function isWellShaped(request: AssignmentRequest): boolean {
  return LISTS.every((rule) => !misshapen(rule, request[rule.list]));
}

/** What a lenient request skipped. */
export function refusedIds(request: AssignmentRequest, known: KnownIds): RefusedId[] {
  return LISTS.flatMap((rule) => leftOut(rule, request[rule.list], known[rule.records]));
}

function excessOf({ userIds, workspaces, groups }: AssignmentRequest, options: BulkOptions): ServiceError | undefined {
  const counts = { users: countOf(userIds), workspaces: countOf(workspaces), groups: countOf(groups), memberships: 0 };
  counts.memberships = counts.users * (counts.workspaces + counts.groups);
  const excess = EXCESSES.find((what) => counts[what] > LIMITS[what]);
  if (excess) return tooMany(excess);
  const max = LIMITS.representedMemberships;
  return wantsResult(options) && counts.memberships > max
    ? new ServiceError('request.too_large_to_represent', { args: { max } })
    : undefined;
}
