import type { KeyObject } from 'node:crypto';

const MIN_RSA_BITS = 2048;
const CURVES = ['prime256v1', 'secp384r1'];

/** The public keys that are accepted: RSA of at least 2048 bits (RFC 7518 section 3.3), and EC on the curves of ES256 and ES384. */
export function isSupportedPublicKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  return asymmetricKeyType === 'ec' && CURVES.includes(asymmetricKeyDetails?.namedCurve ?? '');
}
