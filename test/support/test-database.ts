import type { OpenedDatabase } from '@user-administration/postgres';
import { createOnServer, openInMemory } from '../../packages/testing/src/temporary-database';
import { openEmptied, readSnapshot } from '../setup/embedded-test-databases';
import { testDatabaseSnapshot, testDatabaseTemplate, testDatabaseUrl } from '../setup/test-environment';
import { useStarted } from './use-started';

export interface TestDatabaseOptions {
  /** Without the schema, for tests of migrations. Otherwise the schema may exist already, which saves migrating. */
  empty?: boolean;
}

/**
 * A new database without records: on the server that `TEST_DATABASE_URL` names, else embedded in this process, in
 * memory. Closing it drops it.
 */
export async function openTestDatabase({ empty = false }: TestDatabaseOptions = {}): Promise<OpenedDatabase> {
  const server = testDatabaseUrl();
  const template = empty ? undefined : testDatabaseTemplate();
  if (server !== undefined) return createOnServer(server, template);
  if (template !== undefined) return openEmptied(template);
  const snapshot = testDatabaseSnapshot();
  return openInMemory(snapshot ? await readSnapshot(snapshot) : undefined);
}

/** The same for all tests of a suite. */
export function useTestDatabase(options?: TestDatabaseOptions): OpenedDatabase {
  return useStarted(() => openTestDatabase(options));
}
