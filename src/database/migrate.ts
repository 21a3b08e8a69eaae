import { join } from 'node:path';
import { type Migrated, migrate as migrateTo, type Schema } from '@user-administration/postgres';
import { DataSource, type Migration } from 'typeorm';
import { ADVISORY_LOCKS } from './advisory-locks';
import { SQL_RELEASE } from './sql-release';

/** The folder of the sources or of the compiled files, which have the SQL functions. */
export const SQL_ROOT = join(__dirname, '..');

const SCHEMA: Schema = {
  functions: { number: SQL_RELEASE.number, root: SQL_ROOT },
  lock: ADVISORY_LOCKS.migrations,
};

/** Brings a database to this release: see `migrate` in `packages/postgres`. */
export function migrate(dataSource: DataSource, lockMs?: number): Promise<Migrated> {
  return migrateTo(dataSource, SCHEMA, lockMs);
}

/** A data source for TypeORM's command line that takes turns like every other process. */
export class MigratingDataSource extends DataSource {
  override async runMigrations(): Promise<Migration[]> {
    const { migrations } = await migrate(this);
    if (migrations.length === 0) this.logger.logSchemaBuild('No migrations are pending');
    return migrations;
  }
}
