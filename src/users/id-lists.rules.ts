import { type ErrorCode, ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { isReason, reasonRefusal } from './reason.rules';
import { unknownIds } from './refuse-unknown';

/** The body of a change of many users, as sent: each field can be anything. */
export interface IdLists {
  userIds?: unknown;
  workspaces?: unknown;
  groups?: unknown;
  reason?: unknown;
}

/** The rules for one of the lists. */
export interface IdList {
  field: 'userIds' | 'workspaces' | 'groups';
  records: 'users' | 'workspaces' | 'groups';
  /** For a required list. */
  required?: ErrorCode;
  invalid: ErrorCode;
}

/** The ids of the records that were found. Groups belong to one of the listed workspaces. */
export type KnownIds = Readonly<Record<IdList['records'], readonly string[]>>;

const USER_IDS: IdList = { field: 'userIds', records: 'users', required: 'user.required', invalid: 'user.invalid' };
export const USERS_ALONE: readonly IdList[] = [USER_IDS];
/** In the order of their checks. */
export const USERS_AND_PLACES: readonly IdList[] = [
  USER_IDS,
  { field: 'workspaces', records: 'workspaces', required: 'workspace.required', invalid: 'workspace.invalid' },
  { field: 'groups', records: 'groups', invalid: 'group.invalid' },
];

/** A list with more elements than this many times its limit is refused before it is read. */
const REPETITIONS = 10;

/**
 * The first refusal that no query could change, in the order that docs/decisions.md states. Each list is checked completely before
 * the next: its shape, then whether every id is known. So this is about the shape of the first list alone, unless the request is too
 * large: then nothing is looked up.
 *
 * @param represented whether the caller requests a result, which has a limit of its own
 */
export function firstRefusal(
  lists: readonly IdList[],
  request: IdLists,
  represented: boolean,
): ServiceError | undefined {
  const excess = excessOf(lists, request, represented);
  for (const list of excess ? lists : lists.slice(0, 1)) {
    const refusal = misshapen(list, request);
    if (refusal) return refusal;
  }
  return excess;
}

/**
 * The first refusal of a request for which the database has not found everything: an unknown id, or what is judged after the ids.
 *
 * @param lenient then unknown ids are refused only in a list without any known one
 * @param later the refusals of other fields, in the order of their checks
 */
export function refusalOfUnknown(
  lists: readonly IdList[],
  request: IdLists,
  known: KnownIds,
  lenient: boolean,
  ...later: (ServiceError | undefined)[]
): ServiceError {
  const ofLists = lists.map((list) => misshapen(list, request) ?? unknown(list, request, known, lenient));
  const first = [...ofLists, ...later, reasonRefusal(request.reason)].find((refusal) => refusal);
  return first ?? new ServiceError('service.failed', {}, { cause: 'the database found every id, and still refused' });
}

/** Whether every list and the reason are well-formed, so that unknown ids can be skipped. */
export function isWellFormed(lists: readonly IdList[], request: IdLists): boolean {
  return isReason(request.reason) && lists.every((list) => !misshapen(list, request));
}

/**
 * The ids to look up: the distinct ids of each list, with null for all that is malformed. No record has the id null, so all are found
 * only if the whole request is valid; else the records are looked up, and nothing is written.
 */
export function idsToFind(lists: readonly IdList[], request: IdLists): Record<IdList['records'], (string | null)[]> {
  const ids: Record<IdList['records'], (string | null)[]> = { users: [], workspaces: [], groups: [] };
  for (const { field, records, required } of lists) {
    const given = request[field];
    if (Array.isArray(given)) ids[records] = [...new Set(given.map((id: unknown) => (isIdentifier(id) ? id : null)))];
    if (isNothing(given) ? required : !Array.isArray(given)) ids[records] = [null];
  }
  if (!isReason(request.reason)) ids.users.push(null);
  return ids;
}

/** The number of distinct ids of a list. */
export function countOf(given: unknown): number {
  return Array.isArray(given) ? new Set(given).size : 0;
}

/** The refusal of a result that has more memberships, or takes more bytes, than an answer may have. */
export function tooLargeToRepresent(): ServiceError {
  return new ServiceError('request.too_large_to_represent', { args: { max: LIMITS.representedMemberships } });
}

function excessOf(lists: readonly IdList[], request: IdLists, represented: boolean): ServiceError | undefined {
  const tooLong = lists.find((list) => repeatsTooMuch(list, request));
  if (tooLong) return tooMany(tooLong.records);
  const counts = { users: 0, workspaces: 0, groups: 0 };
  for (const { field, records } of lists) {
    counts[records] = countOf(request[field]);
    if (counts[records] > LIMITS[records]) return tooMany(records);
  }
  const memberships = counts.users * (counts.workspaces + counts.groups);
  if (memberships > LIMITS.memberships) return tooMany('memberships');
  return represented && memberships > LIMITS.representedMemberships ? tooLargeToRepresent() : undefined;
}

function repeatsTooMuch({ field, records }: IdList, request: IdLists): boolean {
  const given = request[field];
  return Array.isArray(given) && given.length > REPETITIONS * LIMITS[records];
}

function tooMany(records: IdList['records'] | 'memberships'): ServiceError {
  return new ServiceError(`request.too_many_${records}`, { args: { max: LIMITS[records] } });
}

/** The refusal for the shape of a list: it is missing, is not a list, is far too long, or has elements that are not text. */
function misshapen(list: IdList, request: IdLists): ServiceError | undefined {
  const { field, required, invalid } = list;
  const given = request[field];
  if (isNothing(given)) return required && new ServiceError(required, { errors: [{ pointer: `/${field}` }] });
  if (!Array.isArray(given)) return new ServiceError(invalid, { errors: [{ pointer: `/${field}` }] });
  if (repeatsTooMuch(list, request)) return tooMany(list.records);
  const errors = given.flatMap((id: unknown, index) =>
    typeof id === 'string' ? [] : { pointer: `/${field}/${index}` },
  );
  return errors.length === 0 ? undefined : new ServiceError(invalid, { errors });
}

function unknown(
  { field, records, invalid }: IdList,
  request: IdLists,
  known: KnownIds,
  lenient: boolean,
): ServiceError | undefined {
  if (lenient && known[records].length > 0) return undefined;
  return unknownIds(field, (request[field] ?? []) as string[], new Set(known[records]), invalid);
}

function isNothing(given: unknown): boolean {
  return given === undefined || given === null || (Array.isArray(given) && given.length === 0);
}
