import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSnapshots, snapshotFile } from '@user-administration/pglite-server';
import { createDataSource } from './data-source';
import { migrate, SQL_ROOT } from './migrate';
import { readSqlFunctions } from '@user-administration/postgres';
import { SQL_RELEASE } from './sql-release';

/** The build places the snapshot beside the compiled files. The sources have none. */
const FOLDER = join(__dirname, 'prepared');
const MIGRATIONS = join(__dirname, 'migrations');

/** The snapshot of an embedded database with the schema of this release, and without records. */
export function preparedFile(): string {
  const migrations = readdirSync(MIGRATIONS).filter((name) => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts'));
  return snapshotFile(FOLDER, [
    ...migrations.flatMap((name) => [name, readFileSync(join(MIGRATIONS, name))]),
    String(SQL_RELEASE.number),
    ...readSqlFunctions(SQL_ROOT).map(({ name, hash }) => `${name} ${hash}`),
  ]);
}

/** Makes an empty database, and one with the schema of this release. */
export function makePreparedDatabases(): ReturnType<typeof makeSnapshots> {
  return makeSnapshots(async (url) => {
    const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
    await migrate(dataSource).finally(() => dataSource.destroy());
  });
}
