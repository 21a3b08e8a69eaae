import { createHmac } from 'node:crypto';
import { UserAdministrationError } from '../user-administration-error.ts';

const FORM = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** What Standard Webhooks allows. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** What is signed: the id and the time with the body, so that neither can be exchanged. */
export interface SignedParts {
  id: string;
  /** In seconds since 1970, as it stands in the header. */
  timestamp: string;
  body: Uint8Array;
}

/**
 * The key in a secret as the service tells it: `whsec_` and base64.
 *
 * @throws UserAdministrationError `client.option_invalid`
 */
export function readSecret(secret: string): Buffer {
  const [, encoded] = FORM.exec(secret) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (key.length >= MIN_BYTES && key.length <= MAX_BYTES) return key;
  const detail = 'A secret must be as the service tells it when a webhook is made: whsec_ and base64.';
  throw new UserAdministrationError({ code: 'client.option_invalid', detail });
}

/** The signature of Standard Webhooks 1.0, without its version. */
export function signatureOf(key: Buffer, { id, timestamp, body }: SignedParts): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
