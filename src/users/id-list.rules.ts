import type { RefusedIdDto } from './dto/bulk.dto';
import { type ErrorCode, ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { unknownIds } from './refuse-unknown';

/** The lists of ids in a request, as sent: each can be anything. */
export interface IdLists {
  userIds?: unknown;
  workspaces?: unknown;
  groups?: unknown;
}

/** The rules for one of the lists. */
export interface IdListRule {
  list: keyof IdLists;
  records: 'users' | 'workspaces' | 'groups';
  /** For a required list. */
  required?: ErrorCode;
  invalid: ErrorCode;
}

/** The ids of the records that were found. Groups belong to one of the listed workspaces. */
export type KnownIds = Readonly<Record<IdListRule['records'], readonly string[]>>;

export const USER_IDS: IdListRule = {
  list: 'userIds',
  records: 'users',
  required: 'user.required',
  invalid: 'user.invalid',
};

/** A list with more elements than this many times its limit is refused before it is read. */
const REPETITIONS = 10;

export function repeatsTooMuch({ list, records }: IdListRule, request: IdLists): boolean {
  const given = request[list];
  return Array.isArray(given) && given.length > REPETITIONS * LIMITS[records];
}

/** The distinct ids of a list. */
export function countOf(given: unknown): number {
  return Array.isArray(given) ? new Set(given).size : 0;
}

export function tooMany(what: IdListRule['records'] | 'memberships'): ServiceError {
  return new ServiceError(`request.too_many_${what}`, { args: { max: LIMITS[what] } });
}

/** The refusal for the shape of a list: it is missing, is not a list, or has elements that are not text. */
export function misshapen({ list, required, invalid }: IdListRule, request: IdLists): ServiceError | undefined {
  const given = request[list];
  if (isNothing(given)) return required && new ServiceError(required, { errors: [{ pointer: `/${list}` }] });
  if (!Array.isArray(given)) return new ServiceError(invalid, { errors: [{ pointer: `/${list}` }] });
  const errors = given.flatMap((id: unknown, index) =>
    typeof id === 'string' ? [] : { pointer: `/${list}/${index}` },
  );
  return errors.length === 0 ? undefined : new ServiceError(invalid, { errors });
}

/** The refusal of a well-formed list with unknown ids; if lenient, of a list without any known id. */
export function unknown(
  { list, records, invalid }: IdListRule,
  request: IdLists,
  known: KnownIds,
  lenient: boolean,
): ServiceError | undefined {
  if (lenient && known[records].length > 0) return undefined;
  return unknownIds(list, (request[list] ?? []) as string[], new Set(known[records]), invalid);
}

/** The elements of a well-formed list that a lenient request skips. */
export function leftOut({ list, records, invalid }: IdListRule, request: IdLists, known: KnownIds): RefusedIdDto[] {
  const has = new Set(known[records]);
  return ((request[list] ?? []) as string[]).flatMap((id, index) =>
    has.has(id) ? [] : [{ pointer: `/${list}/${index}`, id, code: invalid }],
  );
}

/**
 * The ids to look up: the distinct ids of a list, with null for every element that cannot be an id. No record has the
 * id null, so all of them are found only if the whole list is valid.
 */
export function idsToFind({ list, required }: IdListRule, request: IdLists): (string | null)[] {
  const given = request[list];
  if (Array.isArray(given) && given.length > 0) {
    return [...new Set(given.map((id: unknown) => (isIdentifier(id) ? id : null)))];
  }
  return required === undefined && isNothing(given) ? [] : [null];
}

function isNothing(given: unknown): boolean {
  return given === undefined || given === null || (Array.isArray(given) && given.length === 0);
}
