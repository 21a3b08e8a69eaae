import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeSnapshots, snapshotFile } from '@user-administration/pglite-server';
import { createDataSource } from './data-source';
import type { DatabasePart } from './database-part';
import { migrate, sqlReleases } from './migrate';
import { readSqlFunctions } from '@user-administration/postgres';

/** The build places the snapshot beside the compiled files. The sources have none. */
const FOLDER = join(__dirname, 'prepared');
const MIGRATIONS = join(__dirname, 'migrations');

/** The snapshot of an embedded database with the schema of this release and of these plugins, and without records. */
export function preparedFile(parts: readonly DatabasePart[]): string {
  const migrations = [MIGRATIONS, ...parts.map(({ folder }) => join(folder, 'migrations'))].flatMap(programsIn);
  return snapshotFile(FOLDER, [
    ...migrations.flatMap((path) => [basename(path), readFileSync(path)]),
    ...sqlReleases(parts).flatMap(({ number, root, apart }) => [
      String(number),
      ...readSqlFunctions(root, apart).map(({ name, hash }) => `${name} ${hash}`),
    ]),
  ]);
}

function programsIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts'))
    .sort()
    .map((name) => join(folder, name));
}

/** Makes an empty database, and one with the schema of this release. */
export function makePreparedDatabases(parts: readonly DatabasePart[]): ReturnType<typeof makeSnapshots> {
  return makeSnapshots(async (url) => {
    const dataSource = await createDataSource({ url, poolSize: 1 }, parts).initialize();
    await migrate(dataSource, parts).finally(() => dataSource.destroy());
  });
}
