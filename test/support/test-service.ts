import type { OpenedDatabase } from '@user-administration/postgres';
import { type RunningService, type ServiceOptions, startService } from '../../packages/testing/src/start-service';
import { DirectoryBuilder } from './directory-builder';
import { openTestDatabase } from './test-database';
import { useStarted } from './use-started';

interface TestServiceOptions extends Omit<ServiceOptions, 'database'> {
  /** A database to share with another service of the same test, instead of a new one. The caller closes it. */
  database?: { url: string; poolSize: number };
}

/** The service in the process of a test, and a way to write records past its rules. */
export interface TestService extends RunningService {
  directory: DirectoryBuilder;
}

/**
 * Starts the whole service for an end-to-end test, with a new database.
 *
 * @example
 * const service = await startTestService();
 * await service.directory.user('ada', { type: 'administrator' });
 * await fetch(`${service.url}/api/users/workspace-assign`, {
 *   method: 'POST',
 *   headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/json' },
 *   body: JSON.stringify({ userIds: ['ben'], workspaces: ['atlas'] }),
 * });
 * await service.close();
 */
export async function startTestService({ database, ...options }: TestServiceOptions = {}): Promise<TestService> {
  const ownDatabase = database ? undefined : await openTestDatabase();
  try {
    const service = await startService({ ...options, database: database ?? (ownDatabase as OpenedDatabase) });
    return {
      ...service,
      directory: new DirectoryBuilder(service.dataSource),
      close: async () => {
        await service.close();
        await ownDatabase?.close();
      },
    };
  } catch (error) {
    await ownDatabase?.close();
    throw error;
  }
}

/** The same for all tests of a suite. */
export function useTestService(options?: TestServiceOptions): TestService {
  return useStarted(() => startTestService(options));
}
