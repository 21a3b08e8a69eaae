import { loadConfig } from '../../src/load-config';
import { problemsOf, SECRET } from './problems-of';

const KEY = { JWT_JWKS_URI: 'https://id.example/keys', STATUS_TOKEN_SECRET: SECRET };
const GIVEN = { ...KEY, OIDC_ISSUER: 'https://id.example/', OIDC_CLIENT_ID: 'users-page' };
const PRODUCTION = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/d' };

const BOTH =
  'Set both OIDC_ISSUER and OIDC_CLIENT_ID, or neither: people sign in at the issuer as users of this client.';
const URL_EXPECTED =
  'OIDC_ISSUER must be a URL that starts with https:// or http://, without credentials, query or fragment.';
const NEEDS_KEY = 'OIDC_ISSUER requires JWT_JWKS_URI or JWT_PUBLIC_KEY: they verify the tokens that the issuer signs.';

describe('the settings of signing in', () => {
  it('are an issuer, a client, scopes and an audience', () => {
    expect(loadConfig(KEY).signIn).toBeUndefined();
    expect(loadConfig(GIVEN).signIn).toEqual({
      issuer: 'https://id.example/',
      clientId: 'users-page',
      scope: 'openid',
      audience: undefined,
    });
    const more = { OIDC_SCOPE: 'openid api://users/.default', OIDC_AUDIENCE: 'https://users.example' };
    expect(loadConfig({ ...GIVEN, ...more, ...PRODUCTION }).signIn).toEqual({
      issuer: 'https://id.example/',
      clientId: 'users-page',
      scope: 'openid api://users/.default',
      audience: 'https://users.example',
    });
  });

  it.each<[string, object, string[]]>([
    ['an issuer without a client', { OIDC_CLIENT_ID: '' }, [BOTH]],
    ['a client without an issuer', { OIDC_ISSUER: '' }, [BOTH]],
    [
      'an audience alone',
      { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_AUDIENCE: 'a' },
      ['OIDC_AUDIENCE requires OIDC_ISSUER.'],
    ],
    ['no key', { JWT_JWKS_URI: '', STATUS_TOKEN_SECRET: '' }, [NEEDS_KEY]],
    ['a shared secret', { JWT_JWKS_URI: '', JWT_SECRET: SECRET }, [NEEDS_KEY]],
    ['an issuer that is no URL', { OIDC_ISSUER: 'id.example' }, [URL_EXPECTED]],
    ['an issuer with a password', { OIDC_ISSUER: 'https://a:b@id.example' }, [URL_EXPECTED]],
    ['an issuer with a query', { OIDC_ISSUER: 'https://id.example/?tenant=7' }, [URL_EXPECTED]],
    [
      'scopes with commas and quotes',
      { OIDC_SCOPE: 'openid "a"' },
      ['OIDC_SCOPE must be names of scopes with single spaces between them.'],
    ],
    [
      'plain http in production',
      { ...PRODUCTION, OIDC_ISSUER: 'http://id.example' },
      [
        'OIDC_ISSUER must start with https:// in production, unless it leads to this machine: anyone who can modify its answers can sign people in.',
      ],
    ],
    ['plain http on this machine', { ...PRODUCTION, OIDC_ISSUER: 'http://127.0.0.1:9000' }, []],
  ])('are refused, or not: %s', (_, changed, problems) => {
    expect(problemsOf({ ...GIVEN, ...changed })).toEqual(problems);
  });
});
