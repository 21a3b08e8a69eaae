import { ConfigError } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/d',
  STATUS_TOKEN_SECRET: 'a secret for these tests, of more than 32 bytes',
};

function problemsOf(uri: string, environment: object = PRODUCTION): readonly string[] {
  try {
    const { key } = loadConfig({ ...environment, JWT_JWKS_URI: uri }).accessTokens;
    expect(key).toEqual({ kind: 'jwks', uri });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('JWT_JWKS_URI', () => {
  it.each([
    'https://login.example.com/.well-known/jwks.json',
    'HTTPS://login.example.com/jwks?tenant=7',
    'http://localhost:8080/jwks',
    'http://idp.localhost/jwks',
    'http://127.0.0.1:8080/jwks',
    'http://127.8.9.10/jwks',
    'http://[::1]:8080/jwks',
  ])('can be %s in production', (uri) => {
    expect(problemsOf(uri)).toEqual([]);
  });

  it.each([
    'http://login.example.com/jwks',
    'http://10.0.0.7/jwks',
    'http://localhost.example.com/jwks',
    'http://127.0.0.1.example.com/jwks',
    'http://example.com/127.0.0.1',
    'http://[::2]/jwks',
    'http://0.0.0.0/jwks',
  ])('cannot be %s in production, because anyone on the way could publish a key', (uri) => {
    expect(problemsOf(uri)).toEqual([
      'JWT_JWKS_URI must start with https:// in production, unless it leads to this machine: anyone who can modify its answer can sign tokens.',
    ]);
    expect(problemsOf(uri, { STATUS_TOKEN_SECRET: PRODUCTION.STATUS_TOKEN_SECRET })).toEqual([]);
  });

  it.each([
    'https://user:hunter2@login.example.com/jwks',
    'https://user@login.example.com/jwks',
    'https://:hunter2@login.example.com/jwks',
  ])('cannot be %s, not even in development', (uri) => {
    const said = problemsOf(uri, { STATUS_TOKEN_SECRET: PRODUCTION.STATUS_TOKEN_SECRET });
    expect(said).toEqual(['JWT_JWKS_URI must not contain a user name or password: the keys are public.']);
  });
});
