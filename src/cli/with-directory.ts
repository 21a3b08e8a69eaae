import type { DataSource } from 'typeorm';
import { loadConfig } from '../config/load-config';
import { connect } from '../database/connect';
import { createDataSource } from '../database/data-source';
import { joinDatabase } from '../database/open-database';
import { migrate } from '../database/migrate';

/** Does work on the directory that the environment names, migrated first, and closes everything behind it. */
export async function withDirectory<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const database = await joinDatabase(loadConfig());
  try {
    const dataSource = createDataSource(database);
    await connect(dataSource);
    try {
      await migrate(dataSource);
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await database.close();
  }
}
