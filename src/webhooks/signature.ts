import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** Generates a secret in the format of Standard Webhooks 1.0, for one receiver. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
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
