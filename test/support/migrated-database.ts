import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from './whole-schema';
import { DirectoryBuilder } from './directory-builder';
import { openTestDatabase } from './test-database';
import { useStarted } from './use-started';

/** A new database with the schema, and nothing else running. */
export interface MigratedDatabase {
  dataSource: DataSource;
  directory: DirectoryBuilder;
  url: string;
  close(): Promise<void>;
}

export async function openMigratedDatabase(): Promise<MigratedDatabase> {
  const database = await openTestDatabase();
  const dataSource = await createDataSource(database).initialize();
  await migrate(dataSource);
  return {
    dataSource,
    directory: new DirectoryBuilder(dataSource),
    url: database.url,
    close: async () => {
      await dataSource.destroy();
      await database.close();
    },
  };
}

/** The same for all tests of a suite. */
export function useMigratedDatabase(): MigratedDatabase {
  return useStarted(openMigratedDatabase);
}
