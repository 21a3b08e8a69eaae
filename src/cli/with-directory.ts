import type { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../config/database.config';
import { loadDatabaseConfig } from '../config/read-config';
import { createDataSource } from '../database/data-source';
import { migrate } from '../database/migrate';
import { connect, type Migrated, MigrationDelayedError } from '@user-administration/postgres';
import { joinDatabase } from '../database/open-database';
import { DIRECTORY_ENTITIES } from '../directory/entities';
import type { Plugin } from '../plugins/plugin';

/** How long a command waits for the migration of another process. */
const PATIENCE_MS = 60_000;

/**
 * Opens the configured directory, migrates it if anything is pending, runs `work`, and closes it.
 *
 * @param mustWrite false for work that only reads: then a standby can be opened as well
 */
export async function withDirectory<T>(
  plugins: readonly Plugin[],
  work: (dataSource: DataSource, migrated: Migrated, config: DatabaseConfig) => Promise<T>,
  mustWrite = true,
): Promise<T> {
  const config = loadDatabaseConfig(plugins);
  const database = await joinDatabase(config, plugins, mustWrite);
  try {
    const dataSource = createDataSource(database, plugins, DIRECTORY_ENTITIES);
    await connect(dataSource);
    try {
      return await work(dataSource, await migrateWithPatience(dataSource, plugins), config);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await database.close();
  }
}

async function migrateWithPatience(dataSource: DataSource, plugins: readonly Plugin[]): Promise<Migrated> {
  for (const end = performance.now() + PATIENCE_MS; ;) {
    try {
      return await migrate(dataSource, plugins);
    } catch (error) {
      if (!(error instanceof MigrationDelayedError) || performance.now() > end) throw error;
    }
  }
}
