import type { DatabaseAddress, Migrated } from '@user-administration/postgres';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { createDataSource as createDataSourceOf } from '../../src/database/data-source';
import { migrate as migrateParts } from '../../src/database/migrate';
import { PLUGINS } from '../../src/installed-plugins';

/** A data source with the migrations of the service and of its plugins. */
export function createDataSource(address: DatabaseAddress, entities?: DataSourceOptions['entities']): DataSource {
  return createDataSourceOf(address, PLUGINS, entities);
}

/** Brings a database to this release of the service and of its plugins. */
export function migrate(dataSource: DataSource, lockMs?: number): Promise<Migrated> {
  return migrateParts(dataSource, PLUGINS, lockMs);
}
