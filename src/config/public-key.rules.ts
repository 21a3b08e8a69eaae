import type { KeyObject } from 'node:crypto';

const MIN_RSA_BITS = 2048;

/** The public keys that are accepted: RSA of at least 2048 bits (RFC 7518 section 3.3), and EC on the curve of ES256. */
export function isSupportedPublicKey({ type, asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (type !== 'public') return false;
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
}
