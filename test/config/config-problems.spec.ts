import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';
import { problemsOf, SECRET } from './problems-of';

const KEYED: Environment = { JWT_SECRET: SECRET };
const ONE_OF = 'JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URI';

const EC_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });
const PUBLIC_KEY = String(EC_KEY);

describe('the configuration is refused', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'load-config-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('with all problems at once, each with its remedy, and nothing is written', () => {
    const environment = {
      HOST: 'bad host',
      PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter2@db/directory',
      DATABASE_POOL_SIZE: 'ten',
      WEBHOOK_ALLOW_PRIVATE: 'yes',
      LOG_LEVEL: 'loud',
      JWT_JWKS_URI: 'login.example.com',
      JWT_ADMIN_SCOPE: 'users administer',
      DATA_DIR: dataDir,
    };
    const problems = [
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://.',
      'DATABASE_POOL_SIZE must be a whole number from 1 to 1000.',
      'HOST must be an IP address or a host name.',
      'PORT must be a whole number from 0 to 65535.',
      'WEBHOOK_ALLOW_PRIVATE must be one of true, false.',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.',
      'JWT_JWKS_URI must be a URL that starts with https:// or http://.',
      'JWT_ADMIN_SCOPE must be one scope without spaces.',
    ];
    expect(problemsOf(environment)).toEqual(problems);
    expect(() => loadConfig(environment)).toThrow(
      ['The configuration has problems:', ...problems.map((problem) => `  - ${problem}`)].join('\n'),
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['JWT_SECRT_FILE', 'JWT_SECRET_FILE'],
    ['JWTSECRET_PREVIOS', 'JWT_SECRET_PREVIOUS'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['OLG_LEVLE', 'LOG_LEVEL'],
    ['NODE_EVN', 'NODE_ENV'],
    ['JWT_AUDIENCES', 'JWT_AUDIENCE'],
    ['DATADIRS', 'DATA_DIR'],
  ])('if %s is set, which is one or two letters away from %s', (name, variable) => {
    const problem = `${name} is no variable of this service: did you mean ${variable}?`;
    expect(problemsOf({ ...KEYED, [name]: 'x' })).toEqual([problem]);
    expect(problemsOf({ ...KEYED, [name]: '' })).toEqual([problem]);
  });

  it('not for names that are shorter, further away, or of other programs, nor beside the variable itself', () => {
    const others = `PROT HOTS DATADIR LOGLEVL PGHOST PGPORT PGPASSWRD PASSWORD PASSWORD_FILE HOME HOSTNAME LOGNAME USERNAME SHELL LANG
      TERM PATH KUBERNETES_PORT KUBERNETES_SERVICE_HOST NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS npm_config_loglevel NO_COLOR
      HTTP_PROXY HTTPS_PROXY no_proxy XDG_DATA_DIRS XDG_DATA_HOME DATABASE_HOST DATABASE_USER DATABASE_NAME DATABASE_PASSWORD
      SECRET_KEY JWT_SECRET_KEY jwt_secret TEST_DATABASE_URL REDIS_URL GITHUB_TOKEN HOSTTYPE MACHTYPE JEST_WORKER_ID`;
    const environment = Object.fromEntries(others.split(/\s+/).map((name) => [name, 'x']));
    expect(problemsOf({ ...KEYED, ...environment })).toEqual([]);
    expect(problemsOf({ ...KEYED, JWT_SECRETS: 'x', LOG_LEVEL: 'info', LOGLEVEL: 'x' })).toEqual([]);
  });

  it('before a secret is generated, even for a problem that has nothing to do with keys', () => {
    expect(problemsOf({ PORT: 'x', DATA_DIR: dataDir })).toEqual(['PORT must be a whole number from 0 to 65535.']);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('without quoting any value, which may be a password', () => {
    const said = problemsOf({
      JWT_SECRET: 'short-hunter2',
      STATUS_TOKEN_SECRET: 'short-hunter2',
      DATABASE_URL: 'hunter2',
      JWT_PUBLIC_KEY: 'hunter2',
      JWT_JWKS_URI: 'hunter2',
      PORT: 'hunter2',
      HOST: 'hunter2!',
    });
    expect(said).toHaveLength(8);
    expect(said.join()).not.toContain('hunter2');
  });

  it('in production without a database or a key', () => {
    expect(problemsOf({ NODE_ENV: 'production', DATA_DIR: dataDir })).toEqual([
      'DATABASE_URL must be set in production.',
      `Set one of ${ONE_OF}: production does not generate a key.`,
    ]);
    expect(problemsOf({ NODE_ENV: 'production', ...KEYED })).toEqual(['DATABASE_URL must be set in production.']);
    expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgres://db/d', DATA_DIR: dataDir })).toEqual([
      `Set one of ${ONE_OF}: production does not generate a key.`,
    ]);
    expect(problemsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgres://db/d', ...KEYED })).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('in production with a key that cannot sign, and no secret for status tokens', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/d', DATA_DIR: dataDir };
    const problem =
      'Set STATUS_TOKEN_SECRET: production does not generate one, and a public key cannot sign status tokens.';
    for (const key of [{ JWT_JWKS_URI: 'https://login.example.com/jwks' }, { JWT_PUBLIC_KEY: PUBLIC_KEY }]) {
      expect(problemsOf({ ...production, ...key })).toEqual([problem]);
      expect(loadConfig({ ...production, ...key, STATUS_TOKEN_SECRET: SECRET }).statusTokenSecret).toBe(SECRET);
    }
    expect(existsSync(dataDir)).toBe(false);
  });

  it('if DATA_DIR is needed and is not a folder', () => {
    const DATA_DIR = join(folder, 'file');
    writeFileSync(DATA_DIR, '');
    const problem = 'DATA_DIR must be a folder: this path exists and is not one.';
    const port = 'PORT must be a whole number from 0 to 65535.';
    const server = { DATABASE_URL: 'postgres://db/directory' };
    expect(problemsOf({ DATA_DIR, ...KEYED, PORT: 'x' })).toEqual([port, problem]);
    expect(problemsOf({ DATA_DIR, ...server, PORT: 'x' })).toEqual([port, problem]);
    expect(problemsOf({ DATA_DIR, ...server, JWT_PUBLIC_KEY: PUBLIC_KEY })).toEqual([problem]);
    expect(problemsOf({ DATA_DIR, ...server, JWT_PUBLIC_KEY: PUBLIC_KEY, STATUS_TOKEN_SECRET: SECRET })).toEqual([]);
    expect(problemsOf({ DATA_DIR, ...server, ...KEYED })).toEqual([]);
    expect(problemsOf({ DATA_DIR, ...server, JWT_SECRET: 'short' })).toHaveLength(1);
    // Production never needs it.
    expect(problemsOf({ DATA_DIR, NODE_ENV: 'production', ...KEYED })).toEqual([
      'DATABASE_URL must be set in production.',
    ]);
  });

  it('if DATA_DIR is needed and cannot be created', () => {
    // Not even root can make a folder below a device.
    const [problem, ...others] = problemsOf({ DATA_DIR: '/dev/null/data' });
    expect(problem).toMatch(/^DATA_DIR must be a folder for a generated secret, or set one of JWT_SECRET, .*ENOTDIR/);
    expect(others).toEqual([]);
    expect(problemsOf({ DATA_DIR: '/dev/null/data', ...KEYED })).toEqual([]);
  });
});
