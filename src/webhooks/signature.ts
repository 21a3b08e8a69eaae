import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks wants 24 to 64. */
const SECRET_BYTES = 32;

/** A secret as Standard Webhooks 1.0 writes it, to be shared with one receiver. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** What is signed: the id and the time with the body, so that neither can be exchanged. */
export interface SignedMessage {
  id: string;
  /** Of this try, in seconds since 1970. */
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
