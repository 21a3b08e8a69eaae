import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readDatabaseBounds } from './bounds';
import { type Config, type DatabasePasswords, ISOLATION_LEVELS } from './config';
import { problemsOfDatabaseUrl, serversIn } from './database-url.rules';
import type { EnvironmentReader } from './environment';

export type DatabaseConfig = Pick<Config, Extract<keyof Config, `database${string}` | 'dataDir'>>;

/** The settings of the database. */
export function readDatabase(env: EnvironmentReader, production: boolean): DatabaseConfig {
  const databaseUrlFile = env.text('DATABASE_URL_FILE');
  const databaseUrl = readUrl(env);
  env.require(!production || env.isSet('DATABASE_URL'), 'DATABASE_URL must be set in production.');
  return {
    dataDir: readDataDir(env),
    databaseUrl,
    databaseUrlFile,
    databaseReplicaUrls: Object.freeze(readReplicaUrls(env)),
    databasePasswords: readPasswords(env, databaseUrl),
    databasePoolSize: env.integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    databasePreparedStatements: env.flag('DATABASE_PREPARED_STATEMENTS', true),
    databaseIsolation: env.oneOf('DATABASE_ISOLATION', 'read-committed', ISOLATION_LEVELS),
    databaseBounds: readDatabaseBounds(env),
  };
}

export function readDataDir(env: EnvironmentReader): string {
  return resolve(env.text('DATA_DIR') ?? '.data');
}

function readUrl(env: EnvironmentReader): string | undefined {
  const url = env.text('DATABASE_URL');
  if (url === undefined) return undefined;
  env.problems.push(...problemsOfDatabaseUrl(url).map((problem) => `DATABASE_URL ${problem}`));
  return url;
}

function readReplicaUrls(env: EnvironmentReader): string[] {
  const urls = (env.text('DATABASE_REPLICA_URLS') ?? '').split(',').map((url) => url.trim());
  if (urls.length === 1 && urls[0] === '') return [];
  if (!urls.every((url) => serversIn(url).length > 0)) {
    env.problems.push(
      'DATABASE_REPLICA_URLS must be URLs that start with postgres:// or postgresql://, separated by commas.',
    );
  }
  return urls;
}

function readPasswords(env: EnvironmentReader, url: string | undefined): DatabasePasswords {
  const file = env.text('DATABASE_PASSWORD_FILE');
  if (file !== undefined) requireFile(env, 'DATABASE_PASSWORD_FILE', file);
  const [server] = serversIn(url ?? '');
  env.require(
    file === undefined || server === undefined || new URL(server).password === '',
    'DATABASE_URL must not contain a password if DATABASE_PASSWORD_FILE is set.',
  );
  return Object.freeze({
    file,
    variable: env.text('PGPASSWORD'),
    passFile: env.text('PGPASSFILE') ?? join(homedir(), '.pgpass'),
  });
}

function requireFile(env: EnvironmentReader, name: string, file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    env.problems.push(`${name} must be a file that can be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
