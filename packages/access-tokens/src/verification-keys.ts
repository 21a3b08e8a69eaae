import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { type Algorithm, verify } from 'jsonwebtoken';
import type { VerificationKey } from './token-options';

/** A key object, which jsonwebtoken uses directly. It would parse a text again for every token. */
export interface KeyWithAlgorithms {
  key: KeyObject;
  /**
   * The algorithms that fit the key, and no others, so that a public key can never serve as an HMAC secret (RFC 8725
   * section 3.1).
   */
  algorithms: Algorithm[];
}

/** The configured keys, if they are not a key set. */
export function configuredKeys(configured: Exclude<VerificationKey, { kind: 'jwks' }>): KeyWithAlgorithms[] {
  if (configured.kind === 'secret') return secretKeys([configured.secret, configured.previous]);
  return configured.pems.map((pem) => {
    const key = createPublicKey(pem);
    return { key, algorithms: algorithmsFor(key) };
  });
}

export function secretKeys(secrets: readonly (string | undefined)[]): KeyWithAlgorithms[] {
  const given = secrets.filter((secret) => secret !== undefined);
  return given.map((secret) => ({ key: createSecretKey(Buffer.from(secret)), algorithms: ['HS256'] }));
}

/**
 * The key that has signed a token, of those that fit its algorithm. If none has, it is the last one, with which the
 * verification fails.
 *
 * @returns undefined if no key fits the algorithm
 */
export function signerOf(token: string, algorithm: unknown, keys: readonly KeyWithAlgorithms[]): KeyObject | undefined {
  const fitting = keys.filter(({ algorithms }) => algorithms.some((one) => one === algorithm));
  const signer = fitting.slice(0, -1).find(({ key, algorithms }) => isSignedBy(token, key, algorithms));
  return (signer ?? fitting.at(-1))?.key;
}

function isSignedBy(token: string, key: KeyObject, algorithms: Algorithm[]): boolean {
  try {
    verify(token, key, { algorithms, ignoreExpiration: true, ignoreNotBefore: true });
    return true;
  } catch {
    return false;
  }
}

const RSA_ALGORITHMS: Algorithm[] = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];

export const ASYMMETRIC_ALGORITHMS: Algorithm[] = [...RSA_ALGORITHMS, 'ES256', 'ES384'];

/** Each curve has one algorithm (RFC 7518 section 3.4). */
export function algorithmsFor({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): Algorithm[] {
  if (asymmetricKeyType === 'rsa') return RSA_ALGORITHMS;
  return asymmetricKeyDetails?.namedCurve === 'secp384r1' ? ['ES384'] : ['ES256'];
}
