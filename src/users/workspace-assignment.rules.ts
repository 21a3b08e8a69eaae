import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { type BulkOptions, wantsResult } from './bulk-options';
import {
  countOf,
  type IdListRule,
  type IdLists,
  type KnownIds,
  misshapen,
  repeatsTooMuch,
  tooMany,
  unknown,
  USER_IDS,
} from './id-list.rules';

/** In the order of the contract (section 2, rows 3 to 7). */
export const LISTS: readonly IdListRule[] = [
  USER_IDS,
  { list: 'workspaces', records: 'workspaces', required: 'workspace.required', invalid: 'workspace.invalid' },
  { list: 'groups', records: 'groups', invalid: 'group.invalid' },
];

const EXCESSES = ['users', 'workspaces', 'groups', 'memberships'] as const;

/**
 * The first refusal of an assignment or an unassignment in the contract's order (section 2, rows 3 to 8), if there is
 * one. Each list is checked completely before the next: its shape, then whether every id is known.
 *
 * Without `known`, the database has not been queried yet. The result is then only a refusal that no query could change;
 * for a request that is too large, which is never looked up, it is the first refusal that needs no query.
 */
export function firstRefusal(
  request: IdLists,
  options: BulkOptions,
  known?: KnownIds,
  lists = LISTS,
): ServiceError | undefined {
  const tooLong = lists.find((rule) => repeatsTooMuch(rule, request));
  const excess = tooLong ? tooMany(tooLong.records) : excessOf(request, options);
  for (const rule of lists) {
    if (rule === tooLong) return excess;
    const refusal = misshapen(rule, request) ?? (known && unknown(rule, request, known, options.lenient));
    if (refusal) return refusal;
    if (!known && !excess) return undefined;
  }
  return excess;
}

/** Whether every list is well-formed, so that unknown ids can be skipped. */
export function isWellShaped(request: IdLists): boolean {
  return LISTS.every((rule) => !misshapen(rule, request));
}

function excessOf({ userIds, workspaces, groups }: IdLists, options: BulkOptions): ServiceError | undefined {
  const counts = { users: countOf(userIds), workspaces: countOf(workspaces), groups: countOf(groups), memberships: 0 };
  counts.memberships = counts.users * (counts.workspaces + counts.groups);
  const excess = EXCESSES.find((what) => counts[what] > LIMITS[what]);
  if (excess) return tooMany(excess);
  const max = LIMITS.representedMemberships;
  return wantsResult(options) && counts.memberships > max
    ? new ServiceError('request.too_large_to_represent', { args: { max } })
    : undefined;
}
