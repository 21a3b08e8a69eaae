import os from 'node:os';
import { resolve } from 'node:path';
import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';
import { problemsOf, SECRET } from './problems-of';

const KEYED: Environment = { JWT_SECRET: SECRET };

const MIB = 1024 * 1024;

describe('the configuration', () => {
  it('has a default for every variable but the key', () => {
    expect(loadConfig(KEYED)).toEqual({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      databaseUrlFile: undefined,
      databasePasswords: { file: undefined, variable: undefined },
      databasePoolSize: 10,
      databasePreparedStatements: true,
      databaseBounds: {
        statementMs: 60_000,
        lockMs: 30_000,
        idleTransactionMs: 60_000,
        connectMs: 5_000,
        queue: 500,
        queueMs: 15_000,
      },
      httpBounds: {
        headersMs: 10_000,
        headerBytes: 16 * 1024,
        requestMs: 25_000,
        keepAliveMs: 65_000,
        drainMs: 1_000,
        bodyMemoryBytes: 64 * MIB,
      },
      fairUse: { perAddress: 30_000, perCaller: 6_000, windowSeconds: 60, trustedProxies: 0 },
      dataDir: resolve('.data'),
      takesOverUserTypes: false,
      plugins: { 'admin-page': { isServed: true }, webhooks: { allowPrivate: false } },
      logLevel: 'info',
      accessTokens: {
        key: { kind: 'secret', secret: SECRET },
        issuers: [],
        audiences: [],
        adminScope: 'users:administer',
        readScope: 'users:read',
        readPermission: 'users.read',
        scopeClaim: 'scope',
        userClaim: 'sub',
        serviceSubjects: [],
      },
      statusTokenSecret: SECRET,
      previousStatusTokenSecrets: [],
      publicUrl: '',
    });
  });

  it('is read from environment variables', () => {
    const config = loadConfig({
      NODE_ENV: 'production',
      HOST: '::1',
      PORT: '8080',
      DATABASE_URL: 'postgresql://db.example.com/directory?sslmode=verify-full',
      DATABASE_POOL_SIZE: '25',
      DATABASE_PREPARED_STATEMENTS: 'false',
      PGPASSWORD: 'a password',
      DATABASE_STATEMENT_TIMEOUT_MS: '1',
      DATABASE_LOCK_TIMEOUT_MS: '2',
      DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '3',
      DATABASE_CONNECT_TIMEOUT_MS: '104',
      DATABASE_QUEUE_SIZE: '5',
      DATABASE_QUEUE_TIMEOUT_MS: '106',
      HEADERS_TIMEOUT_MS: '107',
      HEADERS_MAX_KIB: '18',
      REQUEST_TIMEOUT_MS: '108',
      KEEP_ALIVE_TIMEOUT_MS: '9',
      SHUTDOWN_DRAIN_MS: '10',
      BODY_MEMORY_MIB: '17',
      FAIR_USE_PER_ADDRESS: '11',
      FAIR_USE_PER_CALLER: '12',
      FAIR_USE_WINDOW_SECONDS: '13',
      TRUSTED_PROXIES: '14',
      DATA_DIR: '/var/lib/user-administration',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ADMIN_PAGE: 'false',
      LOG_LEVEL: 'debug',
      JWT_JWKS_URI: 'https://login.example.com/.well-known/jwks.json',
      JWT_ISSUER: 'https://login.example.com/,https://id.example.com/',
      JWT_AUDIENCE: 'user-administration , api://users',
      JWT_ADMIN_SCOPE: 'directory.write',
      JWT_READ_SCOPE: 'directory.read',
      READ_PERMISSION: 'audit',
      JWT_SCOPE_CLAIM: 'scp',
      JWT_USER_CLAIM: 'oid',
      JWT_SERVICE_SUBJECTS: 'nightly-sync,https://robot.example.com/',
      STATUS_TOKEN_SECRET: SECRET,
      USER_TYPE_RULE_TAKE_OVER: 'true',
    });
    expect(config).toEqual({
      production: true,
      host: '::1',
      port: 8080,
      databaseUrl: 'postgresql://db.example.com/directory?sslmode=verify-full',
      databaseUrlFile: undefined,
      databasePasswords: { file: undefined, variable: 'a password' },
      databasePoolSize: 25,
      databasePreparedStatements: false,
      databaseBounds: { statementMs: 1, lockMs: 2, idleTransactionMs: 3, connectMs: 104, queue: 5, queueMs: 106 },
      httpBounds: {
        headersMs: 107,
        headerBytes: 18 * 1024,
        requestMs: 108,
        keepAliveMs: 9,
        drainMs: 10,
        bodyMemoryBytes: 17 * MIB,
      },
      fairUse: { perAddress: 11, perCaller: 12, windowSeconds: 13, trustedProxies: 14 },
      dataDir: '/var/lib/user-administration',
      takesOverUserTypes: true,
      plugins: { 'admin-page': { isServed: false }, webhooks: { allowPrivate: true } },
      logLevel: 'debug',
      accessTokens: {
        key: { kind: 'jwks', uri: 'https://login.example.com/.well-known/jwks.json' },
        issuers: ['https://login.example.com/', 'https://id.example.com/'],
        audiences: ['user-administration', 'api://users'],
        adminScope: 'directory.write',
        readScope: 'directory.read',
        readPermission: 'audit',
        scopeClaim: 'scp',
        userClaim: 'oid',
        serviceSubjects: ['nightly-sync', 'https://robot.example.com/'],
      },
      statusTokenSecret: SECRET,
      previousStatusTokenSecrets: [],
      publicUrl: '',
    });
  });

  it('treats an empty variable as one that is not set', () => {
    const names = [
      'STATUS_TOKEN_SECRET',
      'PORT',
      'HOST',
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'DATA_DIR',
      'WEBHOOK_ALLOW_PRIVATE',
      'LOG_LEVEL',
      'NODE_ENV',
    ];
    const jwt = ['JWT_PUBLIC_KEY', 'JWT_JWKS_URI', 'JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_ADMIN_SCOPE'];
    const claims = [
      'JWT_SCOPE_CLAIM',
      'JWT_USER_CLAIM',
      'JWT_SERVICE_SUBJECTS',
      'JWT_SECRET_FILE',
      'DATABASE_URL_FILE',
    ];
    const empty = Object.fromEntries([...names, ...jwt, ...claims].map((name) => [name, '']));
    expect(loadConfig({ ...empty, ...KEYED })).toEqual(loadConfig(KEYED));
  });

  // Node throws where there is no HOME and the system does not know the user.
  it('needs no home folder', () => {
    const unknown = () => {
      throw new Error('ENOENT: no such file or directory, uv_os_homedir');
    };
    const asked = [jest.spyOn(os, 'homedir'), jest.spyOn(os, 'userInfo')];
    for (const question of asked) question.mockImplementation(unknown);
    try {
      expect(problemsOf({ ...KEYED, DATABASE_URL: 'postgres://db/directory' })).toEqual([]);
    } finally {
      for (const question of asked) question.mockRestore();
    }
  });

  it('cannot be changed, at any level', () => {
    const partsOf = (value: unknown): object[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(partsOf)] : [];
    const parts = partsOf(loadConfig(KEYED));
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.filter((part) => !Object.isFrozen(part))).toEqual([]);
  });

  it('has the HOST of all interfaces in production, and otherwise of this machine only', () => {
    const production = { ...KEYED, NODE_ENV: 'production', DATABASE_URL: 'postgres://db/directory' };
    expect(loadConfig(production).host).toBe('0.0.0.0');
    expect(loadConfig({ ...production, HOST: '10.0.0.7' }).host).toBe('10.0.0.7');
    expect(loadConfig({ ...KEYED, NODE_ENV: 'test' }).host).toBe('127.0.0.1');
  });
});

describe('NODE_ENV', () => {
  const server = { ...KEYED, DATABASE_URL: 'postgres://db/directory' };

  it.each(['development', 'test', 'production', '', undefined])('can be %j', (NODE_ENV) => {
    expect(loadConfig({ ...server, NODE_ENV }).production).toBe(NODE_ENV === 'production');
  });

  it.each(['staging', 'prod', 'Production', 'production ', ' '])('cannot be %j', (NODE_ENV) => {
    expect(problemsOf({ ...server, NODE_ENV })).toEqual(['NODE_ENV must be one of development, test, production.']);
  });
});

const HOUR_MS = 3_600_000;

it.each([
  ['DATABASE_POOL_SIZE', 1, 1_000],
  ['DATABASE_STATEMENT_TIMEOUT_MS', 0, HOUR_MS],
  ['DATABASE_LOCK_TIMEOUT_MS', 0, HOUR_MS],
  ['DATABASE_IDLE_TRANSACTION_TIMEOUT_MS', 0, HOUR_MS],
  ['DATABASE_CONNECT_TIMEOUT_MS', 100, HOUR_MS],
  ['DATABASE_QUEUE_SIZE', 0, 1_000_000],
  ['DATABASE_QUEUE_TIMEOUT_MS', 100, HOUR_MS],
  ['HEADERS_TIMEOUT_MS', 100, HOUR_MS],
  ['HEADERS_MAX_KIB', 16, 64],
  ['REQUEST_TIMEOUT_MS', 100, HOUR_MS],
  ['KEEP_ALIVE_TIMEOUT_MS', 0, HOUR_MS],
  ['SHUTDOWN_DRAIN_MS', 0, 60_000],
  ['BODY_MEMORY_MIB', 16, 65_536],
  ['FAIR_USE_PER_ADDRESS', 0, 1_000_000_000],
  ['FAIR_USE_PER_CALLER', 0, 1_000_000_000],
  ['FAIR_USE_WINDOW_SECONDS', 1, 86_400],
  ['TRUSTED_PROXIES', 0, 100],
])('%s can be a whole number from %i to %i', (name, min, max) => {
  const problems = (value: number) =>
    problemsOf({ ...KEYED, DATABASE_URL: 'postgres://db/directory', [name]: String(value) });
  expect([problems(min), problems(max)]).toEqual([[], []]);
  const problem = `${name} must be a whole number from ${min} to ${max}.`;
  expect([problems(min - 1), problems(max + 1)]).toEqual([[problem], [problem]]);
});
