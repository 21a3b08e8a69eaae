/** Which public keys are accepted. Which algorithms fit a key: `auth/verification-keys.ts`. */
import { createPublicKey, type KeyObject } from 'node:crypto';

const MIN_RSA_BITS = 2048;
const MIN_RSA_EXPONENT = 65_537n;
const CURVES = ['prime256v1', 'secp384r1'];
const PUBLIC_KEY = /-----BEGIN ((?:RSA )?PUBLIC KEY)-----[^-]+-----END \1-----/g;

/**
 * The public keys that are accepted: EC on the curves of ES256 and ES384, and RSA of at least 2048 bits (RFC 7518
 * section 3.3) with a sound exponent (FIPS 186-5 section A.1.1). With the exponent 1, every signature is its own
 * message: anybody can sign.
 */
export function isSupportedPublicKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') {
    const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
    return modulusLength >= MIN_RSA_BITS && publicExponent >= MIN_RSA_EXPONENT && publicExponent % 2n === 1n;
  }
  return asymmetricKeyType === 'ec' && CURVES.includes(asymmetricKeyDetails?.namedCurve ?? '');
}

/**
 * The public keys of a text in PEM form.
 *
 * @returns undefined if there are none, if one is not supported, or if there is anything else, such as a private key: a
 * service that
 *   only verifies must not have one
 */
export function publicKeysIn(pem: string): readonly string[] | undefined {
  const keys = pem.match(PUBLIC_KEY) ?? [];
  const isAll = keys.length > 0 && !pem.replace(PUBLIC_KEY, '').includes('-----');
  return isAll && keys.every(isSupportedPem) ? Object.freeze(keys) : undefined;
}

function isSupportedPem(pem: string): boolean {
  try {
    return isSupportedPublicKey(createPublicKey(pem));
  } catch {
    return false;
  }
}
