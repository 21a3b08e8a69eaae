import { createHash, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { signAccessToken, type SigningKey } from '@user-administration/access-tokens/keys';
import type { AccessTokenConfig } from '../../../src/config/token.config';
import { refuseUnknownNames } from './known-names';

/** Who signs the tokens of a test: by the secret of the service or, as in production, by a private key. */
export interface Issuer {
  accessTokens: AccessTokenConfig;
  /** With RS256. */
  privateKey?: SigningKey;
}

/** What a token of a test says. */
export interface NewToken {
  /** The id of a user, or the name of a service. */
  sub: string;
  /** Scopes, separated by single spaces. A token with some is that of a client that acts for itself. */
  scope?: string;
  /** Further claims, which replace the default ones. */
  claims?: Readonly<Record<string, unknown>>;
  /** Seconds: 300 by default; negative for an expired token. */
  expiresIn?: number;
}

const NAMES: Readonly<Record<keyof NewToken, true>> = { sub: true, scope: true, claims: true, expiresIn: true };
const USUAL_SECONDS = 300;

/**
 * @param now the time of the service's process
 * @throws RangeError for a field that no token can have
 */
export function newToken({ accessTokens, privateKey }: Issuer, token: NewToken, now: number): string {
  refuseUnknownNames('A token has', token, NAMES, 'field');
  const { sub, scope, claims = {}, expiresIn = USUAL_SECONDS } = token;
  if (typeof sub !== 'string') throw new RangeError('`sub` must be text: the id of a user, or the name of a service.');
  if (scope !== undefined && typeof scope !== 'string')
    throw new RangeError('`scope` must be text: scopes with a space between them.');
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw new RangeError('`claims` must be an object.');
  if (!Number.isFinite(expiresIn)) throw new RangeError('`expiresIn` must be a number of seconds.');
  const ofClient = scope === undefined ? {} : { client_id: sub };
  return signAccessToken(accessTokens, { sub, scope, expiresIn, claims: { ...ofClient, ...claims }, now }, privateKey);
}

/** A private key, and the key set with its public half (RFC 7517). */
export interface KeyPair {
  privateKey: SigningKey;
  keySet: { keys: object[] };
}

export async function newKeyPair(): Promise<KeyPair> {
  const { privateKey: pem } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const { kty, n, e } = createPublicKey(pem).export({ format: 'jwk' });
  // RFC 7638: the members in this order.
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  return { privateKey: { pem, kid }, keySet: { keys: [{ kty, kid, use: 'sig', alg: 'RS256', n, e }] } };
}
