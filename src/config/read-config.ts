import { readHttpBounds } from './bounds';
import type { ConfigPart } from './config-part';
import { type DatabaseConfig, readDatabase, readDataDir } from './database.config';
import { ConfigError, type Environment, EnvironmentReader } from './environment';
import { isNoFolder } from './data-dir';
import { isHost } from './host.rules';
import { generatedSecret } from './generated-secret';
import { readPort } from './port.rules';
import { readPublicUrl } from './public-url.rules';
import { readSignIn } from './sign-in.config';
import { type AccessTokenConfig, KEY_NAMES, readTokens } from './token.config';

const NO_FOLDER = 'DATA_DIR must be a folder: this path exists and is not one.';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Reads the environment and the `.env` file in the working folder. Variables of the environment take precedence.
 *
 * @throws ConfigError with every problem at once
 * @param parts the plugins of the app
 * @example readConfig(PLUGINS, { PORT: '0', JWT_SECRET: 'at least 32 bytes of secret, please' })
 */
export function readConfig(parts: readonly ConfigPart[], environment?: Environment) {
  const env = environment ? new EnvironmentReader(parts, environment) : EnvironmentReader.ofProcess(parts);
  const { production } = env;
  const database = readDatabase(env);
  const { dataDir } = database;
  const isEmbedded = !env.isSet('DATABASE_URL');
  const config = {
    production,
    host: env.parsed('HOST', production ? '0.0.0.0' : '127.0.0.1', 'an IP address or a host name', (text) =>
      isHost(text) ? text : undefined,
    ),
    port: env.parsed('PORT', 3000, 'a whole number from 0 to 65535', readPort),
    /**
     * Where callers reach the service, before each path in an answer. Empty: such paths are relative to the request.
     */
    publicUrl: env.parsed(
      'PUBLIC_URL',
      '',
      'an absolute http or https URL without credentials, query or fragment',
      readPublicUrl,
    ),
    ...database,
    httpBounds: readHttpBounds(env),
    /** The maximum number of requests to this process in each window of time. 0 means no limit. */
    fairUse: Object.freeze({
      perAddress: env.integer('FAIR_USE_PER_ADDRESS', 30_000, 0, 1_000_000_000),
      perCaller: env.integer('FAIR_USE_PER_CALLER', 6_000, 0, 1_000_000_000),
      windowSeconds: env.integer('FAIR_USE_WINDOW_SECONDS', 60, 1, 86_400),
      /** The number of proxies in front of the service whose `X-Forwarded-For` is trusted. */
      trustedProxies: env.integer('TRUSTED_PROXIES', 0, 0, 100),
    }),
    /** Where people sign in to the pages; undefined if they need a token. */
    signIn: readSignIn(env),
    /** The settings of plugins, by their names: `settingsOf`. */
    plugins: Object.freeze(
      Object.fromEntries(
        parts.flatMap((part) => (part.settings ? [[part.name, Object.freeze(part.settings(env))]] : [])),
      ),
    ) as Readonly<Record<string, object>>,
    logLevel: env.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  const tokens = readTokens(env);
  const isDataDirNeeded = !production && (isEmbedded || tokens.needsGeneratedSecret);
  env.require(!isDataDirNeeded || !isNoFolder(dataDir), NO_FOLDER);
  env.requireNoProblems();
  // Secrets are generated last, so that nothing is written while there is a problem.
  return Object.freeze({
    ...config,
    accessTokens: accessTokensOf(tokens, dataDir),
    /** Signs status tokens, which only this service creates and verifies. */
    statusTokenSecret:
      tokens.statusTokenSecret ?? generateSecret(dataDir, 'status-token-secret', 'STATUS_TOKEN_SECRET'),
    /** These verify status tokens as well. */
    previousStatusTokenSecrets: tokens.previousStatusTokenSecrets,
  });
}

/**
 * Reads only the settings of the database, for `user-admin migrate`: the owner of the tables needs no key of the
 * service.
 */
export function loadDatabaseConfig(parts: readonly ConfigPart[]): DatabaseConfig {
  const env = EnvironmentReader.ofProcess(parts);
  const database = readDatabase(env);
  env.require(env.isSet('DATABASE_URL') || !isNoFolder(database.dataDir), NO_FOLDER);
  env.requireNoProblems();
  return database;
}

/** Reads only the settings of access tokens, for `user-admin token`, which needs no database. */
export function loadTokenConfig(parts: readonly ConfigPart[]): AccessTokenConfig {
  const env = EnvironmentReader.ofProcess(parts);
  const tokens = readTokens(env);
  env.requireNoProblems();
  return accessTokensOf(tokens, readDataDir(env));
}

function accessTokensOf({ key, claims }: ReturnType<typeof readTokens>, dataDir: string): AccessTokenConfig {
  const generated = () => generateSecret(dataDir, 'jwt-secret', `one of ${KEY_NAMES}`);
  return Object.freeze({ ...claims, key: Object.freeze(key ?? { kind: 'secret', secret: generated() }) });
}

function generateSecret(dataDir: string, name: Parameters<typeof generatedSecret>[1], instead: string): string {
  try {
    return generatedSecret(dataDir, name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`DATA_DIR must be a folder for a generated secret, or set ${instead}: ${why}.`]);
  }
}
