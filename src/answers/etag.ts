import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors';

const ANY = '*';

/**
 * The strong validator of a record (RFC 9110 section 8.8.3): a hash of the body of `GET`, so it changes only with the
 * record and its direct permissions. The secret of a new webhook does not count.
 */
export function etagOf(record: object): string {
  return `"${createHash('sha256')
    .update(JSON.stringify({ ...record, secret: undefined }))
    .digest('base64url')
    .slice(0, 27)}"`;
}

/**
 * Refuses a request if `If-Match` does not match the record (RFC 9110 section 13.1.1): for a change, the locked record. Weak
 * and malformed validators never match.
 *
 * @throws ServiceError `record.changed`
 */
export function requireMatch(ifMatch: string | undefined, record: object): void {
  if (ifMatch === undefined || ifMatch.trim() === ANY) return;
  // A tag of another origin can contain a comma. Its parts never equal a tag of `etagOf`, because no tag contains a quote.
  const members = ifMatch.split(',').map((member) => member.trim());
  if (!members.includes(etagOf(record))) throw new ServiceError('record.changed');
}
