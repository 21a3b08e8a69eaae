import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const SECRET_BYTES = 32;
const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** Generates a secret in the format of Standard Webhooks 1.0, for one receiver. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * Whether this is a secret in the format of Standard Webhooks 1.0, which every library for it reads as the same bytes.
 */
export function isSecret(value: unknown): boolean {
  if (typeof value !== 'string' || !SECRET.test(value)) return false;
  const encoded = value.slice(PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  const isCanonical = key.toString('base64') === encoded;
  return isCanonical && key.length >= MIN_SECRET_BYTES && key.length <= MAX_SECRET_BYTES;
}

/** The signed text: the id, the time and the body, so that none of them can be replaced. */
interface SignedMessage {
  id: string;
  /** The time of this attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/** The `webhook-signature` header of Standard Webhooks 1.0: one signature for each secret that is valid now. */
export function signatures(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  return secrets
    .map((secret) => createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64')))
    .map((hmac) => `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}
