import { type ErrorCode, ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { unknownIds } from './refuse-unknown';

/** An assignment as it was sent: each list can be anything. */
export interface AssignmentRequest {
  userIds?: unknown;
  workspaces?: unknown;
  groups?: unknown;
}

/** The ids of the records that an assignment found. */
export interface KnownIds {
  users: readonly string[];
  workspaces: readonly string[];
  /** Of the listed workspaces. */
  groups: readonly string[];
}

interface ListRule {
  list: keyof AssignmentRequest;
  records: 'users' | 'workspaces' | 'groups';
  required?: ErrorCode;
  invalid: ErrorCode;
}

/** In the order of the contract (section 2, rows 3 to 7). */
const LISTS: readonly ListRule[] = [
  { list: 'userIds', records: 'users', required: 'user.required', invalid: 'user.invalid' },
  { list: 'workspaces', records: 'workspaces', required: 'workspace.required', invalid: 'workspace.invalid' },
  { list: 'groups', records: 'groups', invalid: 'group.invalid' },
];

const EXCESSES = ['users', 'workspaces', 'groups', 'memberships'] as const;
type Excess = (typeof EXCESSES)[number];

/** A list that repeats ids so often is refused before it is read. */
const REPETITIONS = 10;

/**
 * The first refusal in the contract's order (section 2, rows 3 to 8), if there is one. All of a list is judged before the next
 * list: its shape, then whether every id is known.
 *
 * Without `known`, nobody has been looked for yet. Then this gives only a refusal that no look could change; for a request
 * that is too large, which is never looked at, that is the first of all that can be told without looking.
 */
export function firstRefusal(request: AssignmentRequest, known?: KnownIds): ServiceError | undefined {
  const tooLong = LISTS.find(({ list, records }) => sizeOf(request[list]) > REPETITIONS * LIMITS[records]);
  if (tooLong) return tooMany(tooLong.records);
  const excess = findExcess(request);
  for (const rule of LISTS) {
    const refusal = misshapen(rule, request[rule.list]) ?? (known && unknown(rule, request, known));
    if (refusal) return refusal;
    if (!known && !excess) return undefined;
  }
  return excess && tooMany(excess);
}

/**
 * What to look for: the different ids of a list, with null for everything that can be no id. No record has the id null, so
 * what is asked for is found completely only if the list is as it must be.
 */
export function idsToFind(request: AssignmentRequest, list: keyof AssignmentRequest): (string | null)[] {
  const given = request[list];
  if (Array.isArray(given) && given.length > 0) {
    return [...new Set(given.map((id: unknown) => (isIdentifier(id) ? id : null)))];
  }
  return list === 'groups' && isNothing(given) ? [] : [null];
}

function misshapen({ list, required, invalid }: ListRule, given: unknown): ServiceError | undefined {
  if (isNothing(given)) return required && new ServiceError(required, { errors: [{ pointer: `/${list}` }] });
  if (!Array.isArray(given)) return new ServiceError(invalid, { errors: [{ pointer: `/${list}` }] });
  const errors = given.flatMap((id: unknown, index) =>
    typeof id === 'string' ? [] : { pointer: `/${list}/${index}` },
  );
  return errors.length === 0 ? undefined : new ServiceError(invalid, { errors });
}

function unknown({ list, records, invalid }: ListRule, request: AssignmentRequest, known: KnownIds) {
  return unknownIds(list, (request[list] ?? []) as string[], new Set(known[records]), invalid);
}

function findExcess({ userIds, workspaces, groups }: AssignmentRequest): Excess | undefined {
  const counts = { users: countOf(userIds), workspaces: countOf(workspaces), groups: countOf(groups), memberships: 0 };
  counts.memberships = counts.users * (counts.workspaces + counts.groups);
  return EXCESSES.find((what) => counts[what] > LIMITS[what]);
}

function tooMany(what: Excess): ServiceError {
  return new ServiceError(`request.too_many_${what}`, { args: { max: LIMITS[what] } });
}

function sizeOf(given: unknown): number {
  return Array.isArray(given) ? given.length : 0;
}

function countOf(given: unknown): number {
  return Array.isArray(given) ? new Set(given).size : 0;
}

function isNothing(given: unknown): boolean {
  return given === undefined || given === null || (Array.isArray(given) && given.length === 0);
}
