import type { DataSource, EntityManager } from 'typeorm';
import type { NewEntry } from '../../src/journal/new-entry';
import { Journal } from '../../src/journal/journal';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { openTestDatabase } from '../support/test-database';
import { asJudged } from '../support/as-judged';

/** A fresh database with a journal in it, and nothing else running. */
export interface JournalDatabase {
  dataSource: DataSource;
  url: string;
  close(): Promise<void>;
}

export async function openJournalDatabase(): Promise<JournalDatabase> {
  const database = await openTestDatabase();
  const dataSource = createDataSource(database);
  await dataSource.initialize();
  await migrate(dataSource);
  return {
    dataSource,
    url: database.url,
    close: async () => {
      await dataSource.destroy();
      await database.close();
    },
  };
}

/** Ada changes the type of each of these users, in one transaction or in a part of one. */
export function promote(within: DataSource | EntityManager, users: readonly string[]): Promise<void> {
  const entries = users.map((user): NewEntry => {
    return { action: 'user.type.changed', user, before: { type: 'guest' }, after: { type: 'member' } };
  });
  return within.transaction((manager) =>
    new Journal().append(manager, asJudged({ actor: { kind: 'user', id: 'ada' } }), entries),
  );
}
