import { isIdentifier } from '../contract/identifiers';
import type { EnvironmentReader } from './environment';
import { MIN_SECRET_BYTES } from './generated-secret';
import {
  holdsCredentials,
  isTamperProof,
  isWebUrl,
  publicKeysIn,
  type VerificationKey,
} from '@user-administration/access-tokens/keys';
import type { VariableName } from './variables';

export const KEY_NAMES = 'JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URI';

/**
 * How access tokens are verified: one kind of key, and the rules for claims. The previous secret verifies, and never
 * signs.
 */
export type AccessTokenConfig = Readonly<ReturnType<typeof readClaims> & { key: VerificationKey }>;

/** The settings of tokens. An undefined secret must be generated. */
export function readTokens(env: EnvironmentReader) {
  const jwtSecret = readSecret(env, 'JWT_SECRET');
  const key = readKey(env, jwtSecret);
  const ownSecret = readSecret(env, 'STATUS_TOKEN_SECRET');
  const previous = [readSecret(env, 'STATUS_TOKEN_SECRET_PREVIOUS')];
  if (!env.isSet('STATUS_TOKEN_SECRET') && key?.kind === 'secret') previous.push(key.previous);
  const hasPublicKey = env.isSet('JWT_PUBLIC_KEY') || env.isSet('JWT_JWKS_URI');
  env.require(
    !env.production || env.isSet('STATUS_TOKEN_SECRET') || !hasPublicKey,
    'Set STATUS_TOKEN_SECRET: production does not generate one, and a public key cannot sign status tokens.',
  );
  const hasKey = env.isSet('JWT_SECRET') || hasPublicKey;
  return {
    key,
    claims: readClaims(env),
    statusTokenSecret: ownSecret ?? jwtSecret,
    previousStatusTokenSecrets: Object.freeze(previous.filter((secret) => secret !== undefined)),
    needsGeneratedSecret: !hasKey || !(env.isSet('STATUS_TOKEN_SECRET') || env.isSet('JWT_SECRET')),
  };
}

/** Claims with a defined meaning (RFC 7519 section 4.1), except `sub`. */
const REGISTERED_CLAIMS = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'];

function readClaims(env: EnvironmentReader) {
  const word = (text: string) => (/^\S+$/.test(text) ? text : undefined);
  const unless = (others: string[]) => (text: string) => (others.includes(text) ? undefined : word(text));
  const claim = `the name of one claim, without spaces and none of ${REGISTERED_CLAIMS.join(', ')}`;
  return {
    /** The accepted issuers and audiences; none means any. */
    issuers: env.list('JWT_ISSUER'),
    audiences: env.list('JWT_AUDIENCE'),
    /** The scope that makes a service an administrator. */
    adminScope: env.parsed('JWT_ADMIN_SCOPE', 'users:administer', 'one scope without spaces', word),
    /** The scope that lets a service read what administrators read, and the permission that lets a user. */
    readScope: env.parsed('JWT_READ_SCOPE', 'users:read', 'one scope without spaces', word),
    readPermission: env.parsed('READ_PERMISSION', 'users.read', 'the id of a permission', (text) =>
      isIdentifier(text) ? text : undefined,
    ),
    scopeClaim: env.parsed('JWT_SCOPE_CLAIM', 'scope', `${claim}, sub`, unless([...REGISTERED_CLAIMS, 'sub'])),
    userClaim: env.parsed('JWT_USER_CLAIM', 'sub', claim, unless(REGISTERED_CLAIMS)),
    /** Subjects that are services. With a secret, this list is exclusive. */
    serviceSubjects: env.list('JWT_SERVICE_SUBJECTS'),
  };
}

function readSecret(env: EnvironmentReader, name: VariableName): string | undefined {
  const expected = `at least ${MIN_SECRET_BYTES} bytes long (RFC 7518 section 3.2)`;
  const secret = env.parsed<string | undefined>(name, undefined, expected, (text) =>
    Buffer.byteLength(text) >= MIN_SECRET_BYTES ? text : undefined,
  );
  const isRepetition = secret !== undefined && new Set(Buffer.from(secret)).size === 1;
  env.require(!isRepetition, `${name} must not be one byte repeated: anybody can guess it.`);
  const isPublic = secret !== undefined && /-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----/.test(secret);
  env.require(!isPublic, `${name} must not be a public key or a certificate: anybody may know it.`);
  return secret;
}

function readKey(env: EnvironmentReader, secret: string | undefined): VerificationKey | undefined {
  const pem = env.text('JWT_PUBLIC_KEY')?.replaceAll('\\n', '\n');
  const pems = pem === undefined ? undefined : publicKeysIn(pem);
  const previous = readSecret(env, 'JWT_SECRET_PREVIOUS');
  const given = (['JWT_SECRET', 'JWT_PUBLIC_KEY', 'JWT_JWKS_URI'] as const).filter((name) => env.isSet(name)).length;
  env.require(given <= 1, `Set only one of ${KEY_NAMES}: tokens are verified by exactly one of them.`);
  env.require(given > 0 || !env.production, `Set one of ${KEY_NAMES}: production does not generate a key.`);
  env.require(
    !env.isSet('JWT_SECRET_PREVIOUS') || env.isSet('JWT_SECRET'),
    'JWT_SECRET_PREVIOUS requires JWT_SECRET: tokens are verified by keys of one kind.',
  );
  env.require(
    pem === undefined || pems !== undefined,
    'JWT_PUBLIC_KEY must be public keys in PEM form, and nothing else: RSA of at least 2048 bits ' +
      'with an odd exponent from 65537, or EC on P-256 or P-384.',
  );
  const uri = env.parsed<string | undefined>(
    'JWT_JWKS_URI',
    undefined,
    'a URL that starts with https:// or http://',
    (text) => (isWebUrl(text) ? text : undefined),
  );
  env.require(
    uri === undefined || !holdsCredentials(uri),
    'JWT_JWKS_URI must not contain a user name or password: the keys are public.',
  );
  env.require(
    uri === undefined || !env.production || isTamperProof(uri),
    'JWT_JWKS_URI must start with https:// in production, unless it leads to this machine: anyone ' +
      'who can modify its answer can sign tokens.',
  );
  if (secret !== undefined) return { kind: 'secret', secret, previous };
  if (pems !== undefined) return { kind: 'public-key', pems };
  return uri === undefined ? undefined : { kind: 'jwks', uri };
}
