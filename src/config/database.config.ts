import { resolve } from 'node:path';
import { readDatabaseBounds } from './bounds';
import {
  hasPassword,
  problemsOfDatabaseUrl,
  serversIn,
  readSecretText,
  SSL_MODES_OF_LIBPQ,
} from '@user-administration/postgres/settings';
import type { EnvironmentReader } from './environment';
import { nearestName } from './nearest-name';
import { lackOf } from './variable-files';

const MAX_DISTANCE = 2;

export type DatabaseConfig = ReturnType<typeof readDatabase>;

export function readDatabase(env: EnvironmentReader) {
  const databaseUrlFile = env.text('DATABASE_URL_FILE');
  const databaseUrl = readUrl(env);
  env.require(!env.production || env.isSet('DATABASE_URL'), 'DATABASE_URL must be set in production.');
  // `pg` reads it where the URL has no sslmode.
  env.oneOf('PGSSLMODE', 'prefer', SSL_MODES_OF_LIBPQ);
  return Object.freeze({
    dataDir: readDataDir(env),
    /** On one host or several; without it, PostgreSQL runs embedded in this process, with its data in `dataDir`. */
    databaseUrl,
    /** The file of the URL. It is read again for each new connection. */
    databaseUrlFile,
    databasePasswords: readPasswords(env, databaseUrl),
    /** The maximum number of connections of this process to the database. */
    databasePoolSize: env.integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    /** Whether frequent statements are prepared on each connection. */
    databasePreparedStatements: env.flag('DATABASE_PREPARED_STATEMENTS', true),
    databaseBounds: readDatabaseBounds(env),
    /**
     * Whether this program's rule of user types replaces another one by which the types of the directory were derived.
     */
    takesOverUserTypes: env.flag('USER_TYPE_RULE_TAKE_OVER', false),
  });
}

export function readDataDir(env: EnvironmentReader): string {
  return resolve(env.text('DATA_DIR') ?? '.data');
}

function readUrl(env: EnvironmentReader): string | undefined {
  const url = env.text('DATABASE_URL');
  if (url === undefined) return undefined;
  env.problems.push(...problemsOfDatabaseUrl(url, nearestIn).map((problem) => `DATABASE_URL ${problem}`));
  return url;
}

/** Sources of the database password, if the URL has none. Files are read again for each new connection. */
export type DatabasePasswords = ReturnType<typeof readPasswords>;

function readPasswords(env: EnvironmentReader, url: string | undefined) {
  const file = env.text('DATABASE_PASSWORD_FILE');
  try {
    if (file !== undefined) readSecretText(file);
  } catch (error) {
    env.problems.push(`DATABASE_PASSWORD_FILE must be a file ${lackOf(error)}.`);
  }
  env.require(
    file === undefined || !serversIn(url ?? '').some(hasPassword),
    'DATABASE_URL must not contain a password if DATABASE_PASSWORD_FILE is set.',
  );
  return Object.freeze({
    /** A file that contains only the password. */
    file,
    /** libpq's `PGPASSWORD`. Without it, the package `pgpass` reads libpq's password file (`PGPASSFILE`). */
    variable: env.text('PGPASSWORD'),
  });
}

/** The name that a misspelt one means: one or two letters away. */
function nearestIn(name: string, names: readonly string[]): string | undefined {
  const nearest = nearestName(name, names);
  return nearest && nearest.distance <= MAX_DISTANCE ? nearest.name : undefined;
}
