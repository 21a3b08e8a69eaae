import type { RefusedId } from '../contract/bulk';
import { type ErrorCode, ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { unknownIds } from './refuse-unknown';

/** The rules for a list of ids in a request. The list itself can be anything. */
export interface IdListRule<List extends string = string> {
  list: List;
  records: 'users' | 'workspaces' | 'groups';
  /** For a required list. */
  required?: ErrorCode;
  invalid: ErrorCode;
}

export const USER_IDS = {
  list: 'userIds',
  records: 'users',
  required: 'user.required',
  invalid: 'user.invalid',
} as const satisfies IdListRule;

/** A list with more elements than this is refused before it is read. */
const REPETITIONS = 10;

export function repeatsTooMuch({ records }: IdListRule, given: unknown): boolean {
  return Array.isArray(given) && given.length > REPETITIONS * LIMITS[records];
}

/** The distinct ids of a list. */
export function countOf(given: unknown): number {
  return Array.isArray(given) ? new Set(given).size : 0;
}

export function tooMany(what: 'users' | 'workspaces' | 'groups' | 'memberships'): ServiceError {
  return new ServiceError(`request.too_many_${what}`, { args: { max: LIMITS[what] } });
}

/** The refusal for the shape of a list: it is missing, is not a list, or has elements that are not text. */
export function misshapen({ list, required, invalid }: IdListRule, given: unknown): ServiceError | undefined {
  if (isNothing(given)) return required && new ServiceError(required, { errors: [{ pointer: `/${list}` }] });
  if (!Array.isArray(given)) return new ServiceError(invalid, { errors: [{ pointer: `/${list}` }] });
  const errors = given.flatMap((id: unknown, index) =>
    typeof id === 'string' ? [] : { pointer: `/${list}/${index}` },
  );
  return errors.length === 0 ? undefined : new ServiceError(invalid, { errors });
}

/** The refusal of a well-formed list with unknown ids; if lenient, of a list without any known id. */
export function unknown(
  { list, invalid }: IdListRule,
  given: unknown,
  known: readonly string[],
  lenient: boolean,
): ServiceError | undefined {
  if (lenient && known.length > 0) return undefined;
  return unknownIds(list, (given ?? []) as string[], new Set(known), invalid);
}

/** The elements of a list that a lenient request skips. */
export function leftOut({ list, invalid }: IdListRule, given: unknown, known: readonly string[]): RefusedId[] {
  const has = new Set(known);
  return ((given ?? []) as string[]).flatMap((id, index) =>
    has.has(id) ? [] : [{ pointer: `/${list}/${index}`, id, code: invalid }],
  );
}

/**
 * The ids to look up: the distinct ids of a list, with null for every element that cannot be an id. No record has the
 * id null, so all of them are found only if the whole list is valid.
 */
export function idsToFind({ required }: IdListRule, given: unknown): (string | null)[] {
  if (Array.isArray(given) && given.length > 0) {
    return [...new Set(given.map((id: unknown) => (isIdentifier(id) ? id : null)))];
  }
  return required === undefined && isNothing(given) ? [] : [null];
}

function isNothing(given: unknown): boolean {
  return given === undefined || given === null || (Array.isArray(given) && given.length === 0);
}
