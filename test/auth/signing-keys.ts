import { createHash } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { encode } from '../support/forged-tokens';
import { claims } from '../support/token-trial';

/** A key pair of an identity provider, made by an independent implementation of the standards. */
export interface SigningKeyPair {
  kid: string;
  publicKey: CryptoKey;
  /** The public half as it is published, under its `kid` and without its algorithm. */
  jwk: JWK;
  privateJwk: JWK;
}

export async function signingKey(
  kid: string,
  alg = 'RS256',
  options: { modulusLength?: number } = {},
): Promise<SigningKeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, ...options });
  return {
    kid,
    publicKey,
    jwk: { ...(await exportJWK(publicKey)), kid },
    privateJwk: { ...(await exportJWK(privateKey)), kid },
  };
}

/** An access token of this key; the header names the key by default. */
export async function tokenBy(
  key: SigningKeyPair,
  alg = 'RS256',
  header: object = { kid: key.kid },
  payload: JWTPayload = claims(),
): Promise<string> {
  // Web Crypto ties an RSA key to one of its algorithms; the JSON is good for each.
  const privateKey = await importJWK(key.privateJwk, alg);
  return new SignJWT(payload).setProtectedHeader({ alg, ...header }).sign(privateKey);
}

/** What precedes a SHA-256 hash in a signature (RFC 8017 section 9.2). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** The RS256 token that anybody can make where the key has the exponent 1: its signature is the padded hash itself. */
export function tokenWithoutKey(bits: number, header: object, payload: JWTPayload = claims()): string {
  const signed = `${encode({ alg: 'RS256', ...header })}.${encode(payload)}`;
  const hash = Buffer.concat([DIGEST_INFO, createHash('sha256').update(signed).digest()]);
  const padding = Buffer.alloc(bits / 8 - hash.length - 3, 0xff);
  const signature = Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), hash]);
  return `${signed}.${signature.toString('base64url')}`;
}
