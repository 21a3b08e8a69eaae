import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { QueryRunner } from 'typeorm';

/** An SQL function, from `src/<folder>/sql/<name>.sql`. */
interface SqlFunction {
  name: string;
  /** One `CREATE OR REPLACE FUNCTION`, with a header that says what it does, what it locks in which order, and what it returns. */
  definition: string;
  hash: string;
}

/** The folder of the sources or of the compiled files. */
const ROOT = join(__dirname, '..');

export function readSqlFunctions(root = ROOT): SqlFunction[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /[\\/]sql[\\/][^\\/]+\.sql$/.test(path))
    .sort()
    .map((path) => {
      const definition = readFileSync(join(root, path), 'utf8');
      return {
        name: basename(path, '.sql'),
        definition,
        hash: createHash('sha256').update(definition).digest('hex'),
      };
    });
}

/** The functions that differ from this release or are missing in the database. The table `sql_functions` must exist. */
export async function pendingSqlFunctions(runner: QueryRunner): Promise<(SqlFunction & { isMissing: boolean })[]> {
  const rows = (await runner.query('SELECT name, hash FROM sql_functions')) as { name: string; hash: string }[];
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]));
  return readSqlFunctions()
    .filter(({ name, hash }) => hashes.get(name) !== hash)
    .map((pending) => ({ ...pending, isMissing: !hashes.has(pending.name) }));
}

/**
 * Creates or replaces the functions that have changed. Call it in the migrating transaction, after the migrations.
 *
 * Functions are never dropped, because processes of the previous release still run while those of the new one start. A
 * function whose parameters or result change gets a new name, and the file of the old one stays for one release.
 *
 * @returns their names
 */
export async function applySqlFunctions(runner: QueryRunner): Promise<string[]> {
  const pending = await pendingSqlFunctions(runner);
  if (pending.length === 0) return [];
  // Functions call each other, but are created in the order of their files.
  await runner.query('SET LOCAL check_function_bodies = off');
  for (const { name, definition, hash } of pending) {
    await runner.query(definition);
    await runner.query(
      `INSERT INTO sql_functions (name, hash) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET hash = excluded.hash`,
      [name, hash],
    );
  }
  return pending.map(({ name }) => name);
}
