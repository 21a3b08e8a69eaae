import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/config/load-config';
import { problemsOf, SECRET } from './problems-of';

const KEYED: Environment = { JWT_SECRET: SECRET };
const ONE_OF = 'JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URI';

const EC_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });
const PUBLIC_KEY = String(EC_KEY);

const MIB = 1024 * 1024;

describe('loadConfig', () => {
  it('has a default for everything but a key', () => {
    expect(loadConfig(KEYED)).toEqual({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      workers: 1,
      databaseUrl: undefined,
      databaseUrlFile: undefined,
      databaseReplicaUrls: [],
      databasePasswords: { file: undefined, variable: undefined, passFile: join(homedir(), '.pgpass') },
      databasePoolSize: 10,
      databasePreparedStatements: true,
      databaseIsolation: 'read-committed',
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
        requestMs: 25_000,
        keepAliveMs: 65_000,
        drainMs: 1_000,
        bodyMemoryBytes: 64 * MIB,
      },
      fairUse: { perAddress: 30_000, perCaller: 6_000, windowSeconds: 60, trustedProxies: 0 },
      dataDir: resolve('.data'),
      webhooks: { allowPrivate: false },
      logLevel: 'info',
      accessTokens: {
        key: { kind: 'secret', secret: SECRET },
        issuers: [],
        audiences: [],
        adminScope: 'users:administer',
        scopeClaim: 'scope',
        userClaim: 'sub',
        serviceSubjects: [],
      },
      statusTokenSecret: SECRET,
    });
  });

  it('takes everything from the environment', () => {
    const config = loadConfig({
      NODE_ENV: 'production',
      HOST: '::1',
      PORT: '8080',
      WORKERS: '4',
      DATABASE_ISOLATION: 'serializable',
      DATABASE_URL: 'postgresql://db.example.com/directory?sslmode=verify-full',
      DATABASE_REPLICA_URLS: 'postgres://one/directory, postgresql://two:5433/directory?sslmode=require',
      DATABASE_POOL_SIZE: '25',
      DATABASE_PREPARED_STATEMENTS: 'false',
      PGPASSWORD: 'a password',
      PGPASSFILE: '/etc/pgpass',
      DATABASE_STATEMENT_TIMEOUT_MS: '1',
      DATABASE_LOCK_TIMEOUT_MS: '2',
      DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '3',
      DATABASE_CONNECT_TIMEOUT_MS: '104',
      DATABASE_QUEUE_SIZE: '5',
      DATABASE_QUEUE_TIMEOUT_MS: '106',
      HEADERS_TIMEOUT_MS: '107',
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
      LOG_LEVEL: 'debug',
      JWT_JWKS_URI: 'https://login.example.com/.well-known/jwks.json',
      JWT_ISSUER: 'https://login.example.com/,https://id.example.com/',
      JWT_AUDIENCE: 'user-administration , api://users',
      JWT_ADMIN_SCOPE: 'directory.write',
      JWT_SCOPE_CLAIM: 'scp',
      JWT_USER_CLAIM: 'oid',
      JWT_SERVICE_SUBJECTS: 'nightly-sync,https://robot.example.com/',
      STATUS_TOKEN_SECRET: SECRET,
    });
    expect(config).toEqual({
      production: true,
      host: '::1',
      port: 8080,
      workers: 4,
      databaseUrl: 'postgresql://db.example.com/directory?sslmode=verify-full',
      databaseReplicaUrls: ['postgres://one/directory', 'postgresql://two:5433/directory?sslmode=require'],
      databaseUrlFile: undefined,
      databasePasswords: { file: undefined, variable: 'a password', passFile: '/etc/pgpass' },
      databasePoolSize: 25,
      databasePreparedStatements: false,
      databaseIsolation: 'serializable',
      databaseBounds: { statementMs: 1, lockMs: 2, idleTransactionMs: 3, connectMs: 104, queue: 5, queueMs: 106 },
      httpBounds: { headersMs: 107, requestMs: 108, keepAliveMs: 9, drainMs: 10, bodyMemoryBytes: 17 * MIB },
      fairUse: { perAddress: 11, perCaller: 12, windowSeconds: 13, trustedProxies: 14 },
      dataDir: '/var/lib/user-administration',
      webhooks: { allowPrivate: true },
      logLevel: 'debug',
      accessTokens: {
        key: { kind: 'jwks', uri: 'https://login.example.com/.well-known/jwks.json' },
        issuers: ['https://login.example.com/', 'https://id.example.com/'],
        audiences: ['user-administration', 'api://users'],
        adminScope: 'directory.write',
        scopeClaim: 'scp',
        userClaim: 'oid',
        serviceSubjects: ['nightly-sync', 'https://robot.example.com/'],
      },
      statusTokenSecret: SECRET,
    });
  });

  it('counts an empty variable as not set', () => {
    const names = [
      'STATUS_TOKEN_SECRET',
      'PORT',
      'HOST',
      'DATABASE_URL',
      'DATABASE_REPLICA_URLS',
      'DATABASE_POOL_SIZE',
      'DATABASE_ISOLATION',
      'WORKERS',
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

  it('is frozen at every level', () => {
    const config = loadConfig(KEYED);
    const { accessTokens } = config;
    const lists = [
      config.databaseReplicaUrls,
      accessTokens.issuers,
      accessTokens.audiences,
      accessTokens.serviceSubjects,
    ];
    const parts = [config, accessTokens, accessTokens.key, config.webhooks, ...lists];
    expect(parts.filter((part) => !Object.isFrozen(part))).toEqual([]);
  });

  it('listens on every interface in production, and only on this machine elsewhere', () => {
    const production = { ...KEYED, NODE_ENV: 'production', DATABASE_URL: 'postgres://db/directory' };
    expect(loadConfig(production).host).toBe('0.0.0.0');
    expect(loadConfig({ ...production, HOST: '10.0.0.7' }).host).toBe('10.0.0.7');
    expect(loadConfig({ ...KEYED, NODE_ENV: 'test' }).host).toBe('127.0.0.1');
  });
});

describe('NODE_ENV', () => {
  const server = { ...KEYED, DATABASE_URL: 'postgres://db/directory' };

  it.each(['development', 'test', 'production', '', undefined])('may be %j', (NODE_ENV) => {
    expect(loadConfig({ ...server, NODE_ENV }).production).toBe(NODE_ENV === 'production');
  });

  it.each(['staging', 'prod', 'Production', 'production ', ' '])('may not be %j', (NODE_ENV) => {
    expect(problemsOf({ ...server, NODE_ENV })).toEqual(['NODE_ENV must be one of development, test, production.']);
  });
});

describe('a problem of the environment', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'load-config-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is reported together with all others and what to do, and nothing is written', () => {
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

  it('is more than one process on the embedded database', () => {
    expect(problemsOf({ ...KEYED, WORKERS: '2' })).toEqual([
      'WORKERS must be 1 without DATABASE_URL: other processes cannot use the embedded database of one process.',
    ]);
    expect(problemsOf({ ...KEYED, WORKERS: '2', DATABASE_URL: 'postgres://db/directory' })).toEqual([]);
  });

  it('keeps a secret from being made, even when it has nothing to do with keys', () => {
    expect(problemsOf({ PORT: 'x', DATA_DIR: dataDir })).toEqual(['PORT must be a whole number from 0 to 65535.']);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('never quotes the value, which may be a password', () => {
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

  it('is production without a database and a key', () => {
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

  it('is production with a key that cannot sign, and no secret for status tokens', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/d', DATA_DIR: dataDir };
    const problem =
      'Set STATUS_TOKEN_SECRET: production does not generate one, and a public key cannot sign status tokens.';
    for (const key of [{ JWT_JWKS_URI: 'https://login.example.com/jwks' }, { JWT_PUBLIC_KEY: PUBLIC_KEY }]) {
      expect(problemsOf({ ...production, ...key })).toEqual([problem]);
      expect(loadConfig({ ...production, ...key, STATUS_TOKEN_SECRET: SECRET }).statusTokenSecret).toBe(SECRET);
    }
    expect(existsSync(dataDir)).toBe(false);
  });

  it('is a data folder that is not a folder, if it is needed', () => {
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
  });

  it('is a data folder that cannot be made', () => {
    // Not even root can make a folder below a device.
    const [problem, ...others] = problemsOf({ DATA_DIR: '/dev/null/data' });
    expect(problem).toMatch(/^DATA_DIR must be a folder for a generated secret, or set one of JWT_SECRET, .*ENOTDIR/);
    expect(others).toEqual([]);
    expect(problemsOf({ DATA_DIR: '/dev/null/data', ...KEYED })).toEqual([]);
  });
});

describe('a number', () => {
  it.each(['0', '1', '65535', '080', '008080'])('of a port may be %s', (port) => {
    expect(loadConfig({ ...KEYED, PORT: port }).port).toBe(Number(port));
  });

  it.each(['-1', '65536', '3000.5', '3e3', '0x50', ' 80', '80 ', 'http', '٣', '9'.repeat(400)])(
    'of a port may not be %j',
    (port) => {
      expect(problemsOf({ ...KEYED, PORT: port })).toEqual(['PORT must be a whole number from 0 to 65535.']);
    },
  );

  it.each(['0', '1001'])('of connections may not be %s', (size) => {
    expect(problemsOf({ ...KEYED, DATABASE_POOL_SIZE: size })).toEqual([
      'DATABASE_POOL_SIZE must be a whole number from 1 to 1000.',
    ]);
  });
});

describe('where to listen', () => {
  it.each([
    '127.0.0.1',
    '::',
    '::1',
    'fe80::1%eth0',
    'localhost',
    'user-administration.internal',
    'db_1',
    '10.example',
  ])('may be %s', (host) => {
    expect(loadConfig({ ...KEYED, HOST: host }).host).toBe(host);
  });

  it.each(['bad host', ' ', '300.1.1.1', '127.1', '8080', '[::1]', 'localhost:80', 'http://localhost', '-a', 'a..b'])(
    'may not be %j',
    (host) => {
      expect(problemsOf({ ...KEYED, HOST: host })).toEqual(['HOST must be an IP address or a host name.']);
    },
  );

  it('may not be longer than a name can be', () => {
    const label = 'a'.repeat(63);
    expect(problemsOf({ ...KEYED, HOST: [label, label, label, 'a'.repeat(61)].join('.') })).toEqual([]);
    expect(problemsOf({ ...KEYED, HOST: [label, label, label, 'a'.repeat(62)].join('.') })).toHaveLength(1);
    expect(problemsOf({ ...KEYED, HOST: 'a'.repeat(64) })).toHaveLength(1);
  });
});

describe('the address of the database', () => {
  it.each([
    'postgres://db/directory',
    'postgresql://user:p%40ss@db.example.com:5433/directory?sslmode=require',
    'postgres:///directory?host=/var/run/postgresql',
  ])('may be %s', (url) => {
    expect(loadConfig({ ...KEYED, DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each(['db.example.com', 'http://db/directory', '//db/directory', 'postgres'])('may not be %s', (url) => {
    expect(problemsOf({ ...KEYED, DATABASE_URL: url })).toHaveLength(1);
  });
});

describe('the addresses of replicas', () => {
  const DATABASE_URL = 'postgres://db/directory';

  it.each(['one', 'postgres://one/d,', 'postgres://one/d,http://two/d', ','])('may not be %j', (urls) => {
    expect(problemsOf({ ...KEYED, DATABASE_URL, DATABASE_REPLICA_URLS: urls })).toEqual([
      'DATABASE_REPLICA_URLS must be URLs that start with postgres:// or postgresql://, separated by commas.',
    ]);
  });

  it('are of a database that is elsewhere', () => {
    expect(problemsOf({ ...KEYED, DATABASE_REPLICA_URLS: 'postgres://one/directory' })).toEqual([
      'DATABASE_REPLICA_URLS requires DATABASE_URL: the embedded database has no replicas.',
    ]);
  });
});
