import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isSupportedPublicKey } from './public-key.rules';
import { algorithmsFor, type KeyWithAlgorithms } from './verification-keys';

/** A key of a JSON Web Key Set that can verify tokens. */
export interface PublishedKey extends KeyWithAlgorithms {
  kid: string | undefined;
}

/**
 * Reads a member of a key set (RFC 7517 section 4). A key that names its use, operations or algorithm is valid for
 * these alone.
 *
 * @returns undefined for a key that is private, weak, of another kind or for another purpose
 */
export function readPublishedKey(jwk: JsonWebKey): PublishedKey | undefined {
  const { use, key_ops: operations, alg } = jwk as Record<string, unknown>;
  if ('d' in jwk || (use !== undefined && use !== 'sig')) return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined;
  const key = keyOf(jwk);
  if (!key || !isSupportedPublicKey(key)) return undefined;
  const algorithms = algorithmsFor(key).filter((algorithm) => alg === undefined || alg === algorithm);
  return algorithms.length === 0 ? undefined : { kid: kidOf(jwk), key, algorithms };
}

/** Whether an operator should ask the identity provider for a better key. */
export function isWeakRsaKey(jwk: JsonWebKey): boolean {
  const key = jwk.kty === 'RSA' ? keyOf(jwk) : undefined;
  return key !== undefined && !isSupportedPublicKey(key);
}

function keyOf(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** A key without a usable `kid` has none. */
export function kidOf(named: object): string | undefined {
  const { kid } = named as { kid?: unknown };
  return typeof kid === 'string' && kid !== '' ? kid : undefined;
}
