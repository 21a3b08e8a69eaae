import { join } from 'node:path';
import { type Migrated, migrate as migrateTo, type SqlRelease } from '@user-administration/postgres';
import { DataSource, type DataSourceOptions, type Migration } from 'typeorm';
import { ADVISORY_LOCKS } from './advisory-locks';
import type { DatabasePart } from './database-part';
import { SQL_RELEASE } from './sql-release';

/** The folder of the sources or of the compiled files, which have the SQL functions. */
export const SQL_ROOT = join(__dirname, '..');

/** The SQL functions of the service itself, and of each part that has any. */
export function sqlReleases(parts: readonly DatabasePart[]): SqlRelease[] {
  return [
    { number: SQL_RELEASE.number, root: SQL_ROOT, apart: 'plugins' },
    ...parts.flatMap(({ folder, sqlRelease }) =>
      sqlRelease === undefined ? [] : [{ number: sqlRelease, root: folder }],
    ),
  ];
}

/** Brings a database to this release: see `migrate` in `packages/postgres`. */
export function migrate(dataSource: DataSource, parts: readonly DatabasePart[], lockMs?: number): Promise<Migrated> {
  return migrateTo(dataSource, { functions: sqlReleases(parts), lock: ADVISORY_LOCKS.migrations }, lockMs);
}

/** A data source for TypeORM's command line that takes turns like every other process. */
export class MigratingDataSource extends DataSource {
  constructor(
    options: DataSourceOptions,
    private readonly parts: readonly DatabasePart[],
  ) {
    super(options);
  }

  override async runMigrations(): Promise<Migration[]> {
    const { migrations } = await migrate(this, this.parts);
    if (migrations.length === 0) this.logger.logSchemaBuild('No migrations are pending');
    return migrations;
  }
}
