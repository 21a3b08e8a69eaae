import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configWarnings } from '../../src/config/config-warnings';
import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';
import { SECRET } from './problems-of';

const JWKS = { JWT_JWKS_URI: 'https://login.example.com/jwks', STATUS_TOKEN_SECRET: SECRET };
const warningsOf = (environment: Environment): string[] => configWarnings(loadConfig(environment));

describe('a start warns', () => {
  it('of a key set without an audience', () => {
    expect(warningsOf(JWKS)).toEqual([
      expect.stringMatching(/^JWT_JWKS_URI is used without JWT_AUDIENCE: .+ Set JWT_AUDIENCE to/),
    ]);
  });

  it('in production of limits per address behind a proxy that may hide the addresses', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/directory', JWT_SECRET: SECRET };
    expect(warningsOf(production)).toEqual([
      expect.stringMatching(/^FAIR_USE_PER_ADDRESS .+ Set TRUSTED_PROXIES to the number of proxies/),
    ]);
    expect(warningsOf({ ...production, TRUSTED_PROXIES: '1' })).toEqual([]);
    expect(warningsOf({ ...production, FAIR_USE_PER_ADDRESS: '0' })).toEqual([]);
    expect(warningsOf({ ...production, NODE_ENV: '' })).toEqual([]);
  });

  it('neither of a key set with an audience nor of a secret', () => {
    expect(warningsOf({ ...JWKS, JWT_AUDIENCE: 'user-administration' })).toEqual([]);
    expect(warningsOf({ JWT_SECRET: SECRET })).toEqual([]);
  });
});

it.each([
  ['jwt-secret', 0o640],
  ['jwt-secret', 0o604],
  ['status-token-secret', 0o644],
])('warns of a generated secret that is in use and that others may read: %s with the mode %i', (name, mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'exposed-secret-'));
  try {
    expect(warningsOf({ DATA_DIR: folder })).toEqual([]);
    const file = join(folder, name);
    chmodSync(file, mode);
    expect(warningsOf({ DATA_DIR: folder })).toEqual([
      `Other users of this machine may read the secret in ${file}, and whoever has it can sign tokens. Make it readable by its owner alone (chmod 600), or remove it to generate a new one.`,
    ]);
    expect(warningsOf({ DATA_DIR: folder, JWT_SECRET: SECRET })).toEqual([]);
    expect(warningsOf({ DATA_DIR: join(file, 'no-folder'), JWT_SECRET: SECRET })).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
