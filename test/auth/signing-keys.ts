import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
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
