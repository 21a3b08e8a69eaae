import { createPrivateKey, createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import type { TokenOptions } from './token-options';

const DEFAULT_LIFETIME_SECONDS = 3600;

interface NewAccessToken {
  sub: string;
  /** Scopes, separated by single spaces. */
  scope?: string;
  /** Seconds until it expires: an hour by default. */
  expiresIn?: number;
  /** The time of the service in milliseconds, if it runs in another process: by default that of this process. */
  now?: number;
  /** Additional claims, which replace the default ones. */
  claims?: Readonly<Record<string, unknown>>;
}

/** A private key of RSA, which signs by RS256. Only an issuer has one: the kit for tests is one. */
export interface SigningKey {
  /** PKCS #8 in PEM form. */
  pem: string;
  /** The name of the public key in the key set. */
  kid: string;
}

/** If tokens are verified with a secret, the same secret signs them. */
type SigningConfig = Pick<TokenOptions, 'key'> & Partial<TokenOptions>;

/**
 * Signs an access token that a service with this configuration accepts, in the format of RFC 9068: for the command
 * line, the first start and tests. Without a private key it works only with a secret, because only then is the signing key
 * available.
 *
 * @example signAccessToken(config.accessTokens, { sub: 'ada', expiresIn: 300 })
 */
export function signAccessToken(config: SigningConfig, token: NewAccessToken, privateKey?: SigningKey): string {
  const { key, issuers, audiences, scopeClaim = 'scope', userClaim = 'sub' } = config;
  const iat = Math.floor((token.now ?? Date.now()) / 1000);
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
  // As text, because the library refuses undefined claims, and fails on a claim such as `constructor`.
  const [alg, signer] = privateKey ? (['RS256', createPrivateKey(privateKey.pem)] as const) : sharedKey(key);
  const header = { alg, typ: 'at+jwt', ...(privateKey && { kid: privateKey.kid }) };
  return sign(JSON.stringify(claims), signer, { algorithm: alg, header });
}

function sharedKey(key: SigningConfig['key']): readonly ['HS256', KeyObject] {
  if (key.kind === 'secret') return ['HS256', createSecretKey(Buffer.from(key.secret))];
  throw new Error(
    'Access tokens are verified by a public key here, so only the holder of its private key can sign one.',
  );
}
