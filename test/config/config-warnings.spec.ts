import { configWarnings } from '../../src/config/config-warnings';
import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/config/load-config';
import { SECRET } from './problems-of';

const JWKS = { JWT_JWKS_URI: 'https://login.example.com/jwks', STATUS_TOKEN_SECRET: SECRET };
const warningsOf = (environment: Environment): string[] => configWarnings(loadConfig(environment));

describe('a warning', () => {
  it('tells of a key set without an audience', () => {
    expect(warningsOf(JWKS)).toEqual([
      expect.stringMatching(/^JWT_JWKS_URI is used without JWT_AUDIENCE: .+ Set JWT_AUDIENCE to/),
    ]);
  });

  it('is not for a key set with one, nor for a secret', () => {
    expect(warningsOf({ ...JWKS, JWT_AUDIENCE: 'user-administration' })).toEqual([]);
    expect(warningsOf({ JWT_SECRET: SECRET })).toEqual([]);
  });
});
