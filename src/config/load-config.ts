import { createPublicKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readHttpBounds } from './bounds';
import { type Config, LOG_LEVELS, type VerificationKey } from './config';
import { readDatabase } from './database.config';
import { ConfigError, type Environment, EnvironmentReader } from './environment';
import { isNoFolder } from './data-dir.rules';
import { isHost } from './host.rules';
import { holdsCredentials, isTamperProof } from './jwks-url.rules';
import { isSupportedPublicKey } from './public-key.rules';
import { generatedSecret, MIN_SECRET_BYTES } from './generated-secret';

const KEY_NAMES = 'JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URI';

/**
 * Reads the environment, with a `.env` file in the working folder behind it, into a frozen {@link Config}.
 *
 * @throws ConfigError with every problem at once
 * @example loadConfig({ PORT: '0', JWT_SECRET: 'at least 32 bytes of secret, please' })
 */
export function loadConfig(environment: Environment = processEnvironment()): Config {
  const env = new EnvironmentReader(environment);
  const production = env.text('NODE_ENV') === 'production';
  const dataDir = resolve(env.text('DATA_DIR') ?? '.data');
  const database = readDatabase(env, production);
  const isEmbedded = database.databaseUrl === undefined;
  const config = {
    production,
    host: env.parsed('HOST', production ? '0.0.0.0' : '127.0.0.1', 'an IP address or a host name', (text) =>
      isHost(text) ? text : undefined,
    ),
    port: env.integer('PORT', 3000, 0, 65535),
    workers: env.integer('WORKERS', 1, 1, 256),
    ...database,
    httpBounds: readHttpBounds(env),
    fairUse: Object.freeze({
      perAddress: env.integer('FAIR_USE_PER_ADDRESS', 1_000_000, 0, 1_000_000_000),
      perCaller: env.integer('FAIR_USE_PER_CALLER', 1_000_000, 0, 1_000_000_000),
      windowSeconds: env.integer('FAIR_USE_WINDOW_SECONDS', 60, 1, 86_400),
      trustedProxies: env.integer('TRUSTED_PROXIES', 0, 0, 100),
    }),
    dataDir,
    webhooks: Object.freeze({
      allowPrivate: env.oneOf('WEBHOOK_ALLOW_PRIVATE', 'false', ['true', 'false']) === 'true',
    }),
    logLevel: env.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  env.require(
    config.workers === 1 || !isEmbedded,
    'WORKERS must be 1 without DATABASE_URL: the embedded database lives in one process, and no other can reach it.',
  );
  env.require(
    !env.isSet('DATABASE_REPLICA_URLS') || !isEmbedded,
    'DATABASE_REPLICA_URLS needs DATABASE_URL: the embedded database has no replicas.',
  );
  const jwtSecret = readSecret(env, 'JWT_SECRET');
  const configuredKey = readKey(env, production, jwtSecret);
  const statusTokenSecret = readSecret(env, 'STATUS_TOKEN_SECRET') ?? jwtSecret;
  env.require(
    !production || env.isSet('STATUS_TOKEN_SECRET') || !(env.isSet('JWT_PUBLIC_KEY') || env.isSet('JWT_JWKS_URI')),
    'Set STATUS_TOKEN_SECRET: production does not generate one, and a public key cannot sign status tokens.',
  );
  const isKeySet = ['JWT_SECRET', 'JWT_PUBLIC_KEY', 'JWT_JWKS_URI'].some((name) => env.isSet(name));
  const generatesSecret = !isKeySet || !(env.isSet('STATUS_TOKEN_SECRET') || env.isSet('JWT_SECRET'));
  const isDataDirNeeded = !production && (isEmbedded || generatesSecret);
  env.require(!isDataDirNeeded || !isNoFolder(dataDir), 'DATA_DIR must be a folder: something else is there.');
  const issuer = env.text('JWT_ISSUER');
  const audience = env.text('JWT_AUDIENCE');
  const adminScope = env.parsed('JWT_ADMIN_SCOPE', 'users:administer', 'one scope without spaces', (text) =>
    /^\S+$/.test(text) ? text : undefined,
  );
  if (env.problems.length > 0) throw new ConfigError(env.problems);
  // Only now, with nothing to complain of, is a file written.
  const key = Object.freeze(
    configuredKey ?? { kind: 'secret', secret: generateSecret(dataDir, 'jwt-secret', `one of ${KEY_NAMES}`) },
  );
  return Object.freeze({
    ...config,
    accessTokens: Object.freeze({ key, issuer, audience, adminScope }),
    statusTokenSecret: statusTokenSecret ?? generateSecret(dataDir, 'status-token-secret', 'STATUS_TOKEN_SECRET'),
  });
}

function generateSecret(dataDir: string, name: string, instead: string): string {
  try {
    return generatedSecret(dataDir, name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`DATA_DIR must be a folder that can keep a generated secret, or set ${instead}: ${why}.`]);
  }
}

function readSecret(env: EnvironmentReader, name: string): string | undefined {
  const expected = `at least ${MIN_SECRET_BYTES} bytes long (RFC 7518 section 3.2)`;
  return env.parsed<string | undefined>(name, undefined, expected, (text) =>
    Buffer.byteLength(text) >= MIN_SECRET_BYTES ? text : undefined,
  );
}

function readKey(env: EnvironmentReader, production: boolean, secret: string | undefined): VerificationKey | undefined {
  const pem = env.text('JWT_PUBLIC_KEY')?.replaceAll('\\n', '\n');
  const uri = env.text('JWT_JWKS_URI');
  const given = ['JWT_SECRET', 'JWT_PUBLIC_KEY', 'JWT_JWKS_URI'].filter((name) => env.isSet(name)).length;
  env.require(given <= 1, `Set only one of ${KEY_NAMES}: tokens are verified by exactly one of them.`);
  env.require(given > 0 || !production, `Set one of ${KEY_NAMES}: production does not generate a key.`);
  env.require(
    pem === undefined || isSupportedPem(pem),
    'JWT_PUBLIC_KEY must be a public key in PEM form: RSA of at least 2048 bits, or EC on P-256.',
  );
  const jwksUrl = env.url('JWT_JWKS_URI', ['https:', 'http:']);
  env.require(
    jwksUrl === undefined || !holdsCredentials(jwksUrl),
    'JWT_JWKS_URI must hold no user name or password: the keys are public.',
  );
  env.require(
    jwksUrl === undefined || !production || isTamperProof(jwksUrl),
    'JWT_JWKS_URI must start with https:// in production, unless it leads to this machine: who alters its answer signs tokens.',
  );
  if (secret !== undefined) return { kind: 'secret', secret };
  if (pem !== undefined) return { kind: 'public-key', pem };
  return uri === undefined ? undefined : { kind: 'jwks', uri };
}

function isSupportedPem(pem: string): boolean {
  try {
    // A private key would do, too, but has no place in a service that only verifies: not even beside its public key.
    return /PUBLIC KEY/.test(pem) && !/PRIVATE KEY/.test(pem) && isSupportedPublicKey(createPublicKey(pem));
  } catch {
    return false;
  }
}

/** The one place that reads the process's environment. */
function processEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
