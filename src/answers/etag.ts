import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors';

const ANY = '*';

/** A validator (RFC 9110 section 8.8.3), which can contain a comma. */
const VALIDATOR = /(?:W\/)?"[!#-~\x80-\xff]*"/g;
/** A list of validators, each written as NUL, which no header contains. Elements of a list can be empty (section 5.6.1). */
const LIST = /^\0?(?:,\0?)*$/;

/** The headers `If-Match` and `If-None-Match` of a request. */
export interface Preconditions {
  ifMatch?: string;
  ifNoneMatch?: string;
}

/**
 * The strong validator of a record (RFC 9110 section 8.8.3): a hash of the body of `GET`, so it changes only with the
 * record and its direct permissions. A secret that only one answer contains does not count, nor when something was used last.
 */
export function etagOf(record: object): string {
  return `"${createHash('sha256')
    .update(JSON.stringify({ ...record, secret: undefined, token: undefined, lastUsedAt: undefined }))
    .digest('base64url')
    .slice(0, 27)}"`;
}

/**
 * Refuses a change if a precondition is false (RFC 9110 section 13.1). The record is the locked one. A malformed header is
 * false, because its sender wanted to restrict the change.
 *
 * @throws ServiceError `record.changed`
 */
export function requirePreconditions({ ifMatch, ifNoneMatch }: Preconditions, record: object): void {
  requireMatch(ifMatch, record);
  if (ifNoneMatch === undefined) return;
  const validators = validatorsIn(ifNoneMatch);
  // The comparison is weak.
  const opaque = validators?.map((validator) => validator.replace(/^W\//, ''));
  if (opaque?.includes(etagOf(record)) !== false) throw new ServiceError('record.changed');
}

/**
 * Refuses a request if `If-Match` does not match the record (RFC 9110 section 13.1.1). The comparison is strong, so weak
 * validators never match.
 *
 * @throws ServiceError `record.changed`
 */
export function requireMatch(ifMatch: string | undefined, record: object): void {
  if (ifMatch === undefined || ifMatch.trim() === ANY) return;
  if (!validatorsIn(ifMatch)?.includes(etagOf(record))) throw new ServiceError('record.changed');
}

/** @returns undefined for `*` and for what is not a list of validators */
function validatorsIn(header: string): string[] | undefined {
  const isList = LIST.test(header.replace(VALIDATOR, '\0').replace(/[ \t]/g, ''));
  return isList ? (header.match(VALIDATOR) ?? undefined) : undefined;
}
