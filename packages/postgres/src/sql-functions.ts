import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { FunctionsMissingError } from './migration-errors';

/** An SQL function, from `<folder>/sql/<name>.sql`. */
interface SqlFunction {
  name: string;
  /** The name and the types of the parameters, by which PostgreSQL finds the function. */
  signature: string;
  /**
   * One `CREATE OR REPLACE FUNCTION`, with a header that says what it does, what it locks in which order, and what it
   * returns.
   */
  definition: string;
  hash: string;
}

/** The SQL functions of one release of a program, or of a part of it that has releases of its own. */
export interface SqlRelease {
  /** Its place in the order of releases. A database with a higher number keeps its functions. */
  readonly number: number;
  /** The folder below which the functions are, of the sources or of the compiled files. */
  readonly root: string;
  /** A folder directly below it whose functions are of other releases. */
  readonly apart?: string;
}

export function readSqlFunctions(root: string, apart?: string): SqlFunction[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|[\\/])sql[\\/][^\\/]+\.sql$/.test(path) && path.split(/[\\/]/, 1)[0] !== apart)
    .sort()
    .map((path) => {
      const definition = readFileSync(join(root, path), 'utf8');
      return {
        name: basename(path, '.sql'),
        signature: signatureOf(definition),
        definition,
        hash: createHash('sha256').update(definition).digest('hex'),
      };
    });
}

function signatureOf(definition: string): string {
  const [, name, parameters = ''] = /^CREATE OR REPLACE FUNCTION (\w+)\(([^()]*)\)/m.exec(definition) ?? [];
  const inputs = parameters.split(',').filter((parameter) => !/^\s*(OUT\s|$)/.test(parameter));
  return `${name}(${inputs.map((input) => input.trim().replace(/^\w+ /, '')).join(', ')})`;
}

/** Their fingerprint: it changes with any of them. */
export function fingerprintOf(functions: readonly SqlFunction[]): string {
  const hash = createHash('sha256');
  for (const { name, hash: content } of functions) hash.update(`${name} ${content}\n`);
  return hash.digest('hex');
}

/** What the database lacks of a release, or has of a later one. */
export interface PendingFunctions {
  isPending: boolean;
  /** The functions that differ or are missing. */
  functions: readonly SqlFunction[];
  /** Whether one of them does not exist. */
  isAnyMissing: boolean;
  /** The later release whose functions the database has. Then nothing is pending. */
  newerRelease?: number;
}

/**
 * Compares the functions of this release with those in the database. The table `sql_functions` must exist.
 *
 * @throws FunctionsMissingError if the functions in the database are of a later release, and lack one that this release
 * calls
 */
export async function pendingSqlFunctions(runner: QueryRunner, release: SqlRelease): Promise<PendingFunctions> {
  const ours = readSqlFunctions(release.root, release.apart);
  const rows = (await runner.query('SELECT name, hash, release FROM sql_functions WHERE name = ANY ($1)', [
    ours.map(({ name }) => name),
  ])) as InstalledFunction[];
  const absent = (await runner.query(
    'SELECT name FROM unnest($1::text[], $2::text[]) AS ours (name, signature) WHERE ' +
      'to_regprocedure(signature) IS NULL',
    [ours.map(({ name }) => name), ours.map(({ signature }) => signature)],
  )) as { name: string }[];
  const missing = new Set(absent.map(({ name }) => name));
  const installed = Math.max(0, ...rows.map(({ release }) => release));
  if (installed > release.number) {
    if (missing.size > 0) throw new FunctionsMissingError([...missing], installed, release.number);
    return { isPending: false, functions: [], isAnyMissing: false, newerRelease: installed };
  }
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]));
  const functions = ours.filter(({ name, hash }) => missing.has(name) || hashes.get(name) !== hash);
  // The number counts even if no function differs: otherwise a release in between could still put its own in their
  // place.
  const isPending = functions.length > 0 || installed < release.number;
  return { isPending, functions, isAnyMissing: missing.size > 0 };
}

interface InstalledFunction {
  name: string;
  hash: string;
  release: number;
}

/**
 * Creates or replaces the functions that have changed, unless the database has those of a later release. Call it in the
 * migrating transaction, after the migrations.
 *
 * Functions are never dropped, because processes of the previous release still run while those of the new one start. A
 * function whose parameters or result change gets a new name, and the file of the old one stays for one release.
 *
 * @returns what was pending
 */
export async function applySqlFunctions(runner: QueryRunner, release: SqlRelease): Promise<PendingFunctions> {
  const found = await pendingSqlFunctions(runner, release);
  if (!found.isPending) return found;
  // Functions call each other, but are created in the order of their files.
  await runner.query('SET LOCAL check_function_bodies = off');
  for (const { definition } of found.functions) await runner.query(definition);
  const ours = readSqlFunctions(release.root, release.apart);
  await runner.query(
    `INSERT INTO sql_functions (name, hash, release) SELECT name, hash, $3
    FROM unnest($1::text[], $2::text[]) AS ours (name, hash)
     ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, release = excluded.release`,
    [ours.map(({ name }) => name), ours.map(({ hash }) => hash), release.number],
  );
  return found;
}
