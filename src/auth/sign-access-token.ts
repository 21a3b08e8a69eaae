import { createSecretKey, randomUUID } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import type { AccessTokenConfig } from '../config/config';

const DEFAULT_LIFETIME_SECONDS = 3600;

export interface NewAccessToken {
  sub: string;
  /** Scopes, separated by single spaces. */
  scope?: string;
  /** Seconds until it expires: an hour unless told. */
  expiresIn?: number;
  /** Further claims, and others in place of those that it would have. */
  claims?: Readonly<Record<string, unknown>>;
}

/** Where tokens are verified by a secret, the secret is all that signing needs. */
export type SigningConfig = Pick<AccessTokenConfig, 'key'> & Partial<AccessTokenConfig>;

/**
 * Makes an access token that a service with this configuration accepts, in the shape of RFC 9068: for the command line, the
 * first start and tests. Works only where tokens are verified by a secret, because only then is the signing key at hand.
 *
 * @example signAccessToken(config.accessTokens, { sub: 'ada', expiresIn: 300 })
 */
export function signAccessToken(config: SigningConfig, token: NewAccessToken): string {
  const { key, issuers, audiences, scopeClaim = 'scope', userClaim = 'sub' } = config;
  if (key.kind !== 'secret') {
    throw new Error(
      'Access tokens are verified by a public key here, so only the holder of its private key can sign one.',
    );
  }
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + (token.expiresIn ?? DEFAULT_LIFETIME_SECONDS);
  const claims = {
    iss: issuers?.[0],
    aud: audiences?.[0],
    sub: token.sub,
    [userClaim]: token.sub,
    [scopeClaim]: token.scope,
    iat,
    exp,
    jti: randomUUID(),
    ...token.claims,
  };
  // The library refuses claims that are undefined.
  const given = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return sign(given, createSecretKey(Buffer.from(key.secret)), {
    algorithm: 'HS256',
    header: { alg: 'HS256', typ: 'at+jwt' },
  });
}
