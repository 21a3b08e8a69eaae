import { testDatabaseUrl } from '../setup/test-environment';
import { pathOf } from './postgres-tools';

/**
 * A suite that requires a PostgreSQL server. Without one it is skipped, and its title says why.
 *
 * @param tool a program that it starts, such as `pgbouncer`
 */
export function describeOnServer(title: string, suite: () => void, tool?: string): void {
  const reason = missing(tool);
  if (reason === undefined) {
    describe(title, suite);
    return;
  }
  describe.skip(`${title} (skipped: ${reason})`, suite);
}

function missing(tool: string | undefined): string | undefined {
  if (testDatabaseUrl() === undefined) {
    return 'needs many connections, which the embedded database does not have: set TEST_DATABASE_URL to a PostgreSQL server';
  }
  return tool === undefined || pathOf(tool) !== undefined ? undefined : `needs ${tool}, which is not installed`;
}
