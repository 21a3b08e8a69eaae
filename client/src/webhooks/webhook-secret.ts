import { createHmac } from 'node:crypto';
import { UserAdministrationError } from '../user-administration-error.ts';

const FORM = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** The limits of Standard Webhooks. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** The signed parts. Id and time stamp are signed with the body, so that neither can be replaced. */
export interface SignedParts {
  id: string;
  /** Seconds since 1970, as in the header. */
  timestamp: string;
  body: Uint8Array;
}

/**
 * Decodes the key of a secret: `whsec_` and base64.
 *
 * @throws UserAdministrationError `client.option_invalid`
 */
export function readSecret(secret: string): Buffer {
  const [, encoded] = FORM.exec(secret) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (key.length >= MIN_BYTES && key.length <= MAX_BYTES) return key;
  const detail =
    'A webhook secret must consist of whsec_ and 24 to 64 bytes in base64, as returned when the webhook was created.';
  throw new UserAdministrationError({ code: 'client.option_invalid', detail });
}

/** The signature of Standard Webhooks 1.0, without its version prefix. */
export function signatureOf(key: Buffer, { id, timestamp, body }: SignedParts): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}
