import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../contract/errors';

const ANY = '*';

/** A validator (RFC 9110 section 8.8.3), which can contain a comma. */
const VALIDATOR = /(?:W\/)?"[!#-~\x80-\xff]*"/g;
/**
 * A list of validators, each written as NUL, which no header contains. Elements of a list can be empty (section 5.6.1).
 */
const LIST = /^\0?(?:,\0?)*$/;

/**
 * What proxies that compress add to a validator, within its quotes: Apache, Jetty and others. The content stays the
 * same.
 */
const SUFFIXES = ['', '-gzip', '-br', '-zstd', ';gzip', '--gzip'];

/** The headers `If-Match` and `If-None-Match` of a request. */
export interface Preconditions {
  ifMatch?: string;
  ifNoneMatch?: string;
}

/**
 * The strong validator of a record (RFC 9110 section 8.8.3): a hash of the body of `GET`, so it changes only with the
 * record and its direct permissions. A secret that only one answer contains does not count, nor when something was used
 * last.
 */
export function etagOf(record: object): string {
  return `"${createHash('sha256')
    .update(JSON.stringify({ ...record, secret: undefined, token: undefined, lastUsedAt: undefined }))
    .digest('base64url')
    .slice(0, 27)}"`;
}

/**
 * Refuses a change if a precondition is false (RFC 9110 section 13.1). The record is the locked one. A malformed header
 * is false, because its sender wanted to restrict the change.
 *
 * @throws ServiceError `record.changed`
 */
export function requirePreconditions({ ifMatch, ifNoneMatch }: Preconditions, record: object): void {
  requireMatch(ifMatch, record);
  if (ifNoneMatch !== undefined && names(ifNoneMatch, etagOf(record)) !== false)
    throw new ServiceError('record.changed');
}

/**
 * Refuses a request if `If-Match` does not match the record (RFC 9110 section 13.1.1). The comparison is weak, because
 * proxies that compress weaken validators (nginx) or add to them (Apache), and ours are hashes of the content.
 *
 * @throws ServiceError `record.changed`
 */
export function requireMatch(ifMatch: string | undefined, record: object): void {
  if (ifMatch === undefined || ifMatch.trim() === ANY) return;
  if (names(ifMatch, etagOf(record)) !== true) throw new ServiceError('record.changed');
}

/**
 * Sets the headers of an answer that shows one version of a record. Express then answers 304 if `If-None-Match` names
 * the version.
 */
export function setEtag(etag: string, { headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'no-store, no-transform');
  // Express answers 304 automatically, but not for `Cache-Control: no-cache`, which many clients send and which
  // concerns only caches, nor for what proxies made of the validator.
  delete headers['cache-control'];
  if (names(headers['if-none-match'] ?? '', etag)) headers['if-none-match'] = etag;
}

/**
 * Whether a list of validators contains this one. The comparison is weak (RFC 9110 section 8.8.3.2), and ignores what
 * proxies add.
 *
 * @returns undefined for `*` and for what is not a list of validators
 */
function names(header: string, etag: string): boolean | undefined {
  const isList = LIST.test(header.replace(VALIDATOR, '\0').replace(/[ \t]/g, ''));
  const validators = isList ? header.match(VALIDATOR) : null;
  const same = SUFFIXES.map((suffix) => `${etag.slice(0, -1)}${suffix}"`);
  return validators?.some((validator) => same.includes(validator.replace(/^W\//, '')));
}
