/** How a key is written. To whom it belongs: `keyed-requests.ts`. */
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';

/**
 * RFC 9651 section 3.3.3: a String is printable ASCII between double quotes; it escapes only double quotes and
 * backslashes.
 */
const STRING = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;

/**
 * The bare form, which many callers send although the draft requires a String: no quotes, and nothing that could be
 * several values.
 */
const BARE = /^[!#-+\--[\]-~]+$/;

/**
 * The key in the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07 section 2.1). Quoted and bare,
 * it is the same key. Node joins repeated headers to a list, which is not a key.
 *
 * @throws ServiceError `idempotency.key_invalid`
 * @example readIdempotencyKey('"8e03978e-40d5-43e8-bc93-6894a57f9324"'); // '8e03978e-40d5-43e8-bc93-6894a57f9324'
 */
export function readIdempotencyKey(header: string): string {
  const key = BARE.test(header) ? header : STRING.exec(header)?.[1]?.replace(/\\(.)/g, '$1');
  if (!key || key.length > LIMITS.idempotencyKey) {
    throw new ServiceError('idempotency.key_invalid', { args: { max: LIMITS.idempotencyKey } });
  }
  return key;
}
