import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors';

const TAG = /(W\/)?"[!#-~\x80-\xff]*"/g;
const ANY = '*';

/**
 * The strong validator of a record (RFC 9110 section 8.8.3): a hash of the body of `GET`, so it changes only with the
 * record and its direct permissions.
 */
export function etagOf(record: object): string {
  return `"${createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 27)}"`;
}

/**
 * Refuses a change if `If-Match` does not match the locked record (RFC 9110 section 13.1.1). Weak validators never
 * match.
 *
 * @throws ServiceError `record.changed`
 */
export function requireMatch(ifMatch: string | undefined, record: object): void {
  if (ifMatch === undefined || ifMatch.trim() === ANY) return;
  if (!tagsIn(ifMatch).includes(etagOf(record))) throw new ServiceError('record.changed');
}

function tagsIn(header: string): string[] {
  return header.match(TAG) ?? [];
}
