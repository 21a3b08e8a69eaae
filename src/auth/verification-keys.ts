import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Algorithm } from 'jsonwebtoken';
import type { VerificationKey } from '../config/token.config';

/** A key object, which jsonwebtoken uses directly. It would parse a text again for every token. */
export interface KeyWithAlgorithms {
  key: KeyObject;
  /** The algorithms that fit the key, and no others, so that a public key can never serve as an HMAC secret (RFC 8725 section 3.1). */
  algorithms: Algorithm[];
}

/** The configured key, if it is not a key set. */
export function configuredKey(configured: Exclude<VerificationKey, { kind: 'jwks' }>): KeyWithAlgorithms {
  if (configured.kind === 'secret') {
    return { key: createSecretKey(Buffer.from(configured.secret)), algorithms: ['HS256'] };
  }
  const key = createPublicKey(configured.pem);
  return { key, algorithms: algorithmsFor(key) };
}

const RSA_ALGORITHMS: Algorithm[] = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

export const ASYMMETRIC_ALGORITHMS: Algorithm[] = [...RSA_ALGORITHMS, 'ES256', 'ES384'];

/** Each curve has one algorithm (RFC 7518 section 3.4). */
export function algorithmsFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm[] {
  if (asymmetricKeyType === 'rsa') return RSA_ALGORITHMS;
  return asymmetricKeyDetails?.namedCurve === 'secp384r1' ? ['ES384'] : ['ES256'];
}
