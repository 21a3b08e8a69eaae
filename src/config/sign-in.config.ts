import type { EnvironmentReader } from './environment';
import { holdsCredentials, isTamperProof, isWebUrl } from '@user-administration/access-tokens/keys';

/** Where people sign in, as a public client of the organisation's identity provider. */
export type SignInConfig = NonNullable<ReturnType<typeof readSignIn>>;

/** Names of scopes with single spaces between them (RFC 6749 section 3.3). */
const SCOPES = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/;

/** @returns undefined if nobody signs in by an identity provider */
export function readSignIn(env: EnvironmentReader) {
  const issuer = env.parsed<string | undefined>(
    'OIDC_ISSUER',
    undefined,
    'a URL that starts with https:// or http://, without credentials, query or fragment',
    (text) => (isWebUrl(text) && !holdsCredentials(text) && !/[?#\s]/.test(text) ? text : undefined),
  );
  const clientId = env.text('OIDC_CLIENT_ID');
  const audience = env.text('OIDC_AUDIENCE');
  const scope = env.parsed('OIDC_SCOPE', 'openid', 'names of scopes with single spaces between them', (text) =>
    SCOPES.test(text) ? text : undefined,
  );
  const isOn = env.isSet('OIDC_ISSUER');
  env.require(
    isOn === (clientId !== undefined),
    'Set both OIDC_ISSUER and OIDC_CLIENT_ID, or neither: people sign in at the issuer as users of this client.',
  );
  env.require(isOn || audience === undefined, 'OIDC_AUDIENCE requires OIDC_ISSUER.');
  env.require(
    !isOn || env.isSet('JWT_JWKS_URI') || env.isSet('JWT_PUBLIC_KEY'),
    'OIDC_ISSUER requires JWT_JWKS_URI or JWT_PUBLIC_KEY: they verify the tokens that the issuer signs.',
  );
  env.require(
    issuer === undefined || !env.production || isTamperProof(issuer),
    'OIDC_ISSUER must start with https:// in production, unless it leads to this machine: anyone who ' +
      'can modify its answers can sign people in.',
  );
  if (issuer === undefined || clientId === undefined) return undefined;
  return Object.freeze({ issuer, clientId, scope, audience });
}
