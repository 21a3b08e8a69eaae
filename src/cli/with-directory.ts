import type { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../config/database.config';
import { loadDatabaseConfig } from '../config/load-config';
import { connect, createDataSource } from '../database/data-source';
import { type Migrated, migrate } from '../database/migrate';
import { MigrationDelayedError } from '../database/migration-errors';
import { joinDatabase } from '../database/open-database';

/** How long a command waits for its turn to migrate. */
const PATIENCE_MS = 60_000;

/**
 * Runs `work` on the configured directory after migrating it, and closes everything afterwards.
 *
 * @param mustWrite false for work that only reads, for which a standby is sufficient
 */
export async function withDirectory<T>(
  work: (dataSource: DataSource, migrated: Migrated, config: DatabaseConfig) => Promise<T>,
  mustWrite = true,
): Promise<T> {
  const config = loadDatabaseConfig();
  const database = await joinDatabase(config, mustWrite);
  try {
    const dataSource = createDataSource(database);
    await connect(dataSource);
    try {
      return await work(dataSource, await migrateInTurn(dataSource), config);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await database.close();
  }
}

async function migrateInTurn(dataSource: DataSource): Promise<Migrated> {
  for (const end = performance.now() + PATIENCE_MS; ;) {
    try {
      return await migrate(dataSource);
    } catch (error) {
      if (!(error instanceof MigrationDelayedError) || performance.now() > end) throw error;
    }
  }
}
