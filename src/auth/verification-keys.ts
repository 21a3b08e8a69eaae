import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Algorithm } from 'jsonwebtoken';
import type { VerificationKey } from '../config/config';

/** A key as an object, which jsonwebtoken uses as it is: given text, it would try to parse it anew for every token. */
export interface KeyWithAlgorithms {
  key: KeyObject;
  /** The algorithms that fit the key, and no others: a public key can never be mistaken for an HMAC secret (RFC 8725 section 3.1). */
  algorithms: Algorithm[];
}

/** The key that is configured itself, as opposed to published at a URL. */
export function configuredKey(configured: Exclude<VerificationKey, { kind: 'jwks' }>): KeyWithAlgorithms {
  if (configured.kind === 'secret') {
    return { key: createSecretKey(Buffer.from(configured.secret)), algorithms: ['HS256'] };
  }
  const key = createPublicKey(configured.pem);
  return { key, algorithms: algorithmsFor(key) };
}

export const ASYMMETRIC_ALGORITHMS: Algorithm[] = ['RS256', 'PS256', 'ES256'];

export function algorithmsFor(key: KeyObject): Algorithm[] {
  return key.asymmetricKeyType === 'rsa' ? ['RS256', 'PS256'] : ['ES256'];
}
