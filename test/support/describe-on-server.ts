import { testDatabaseUrl } from '../../src/config/test-environment';

const REASON =
  'needs many connections at once: set TEST_DATABASE_URL to a PostgreSQL server (the embedded database has one)';

/** A suite that runs on a PostgreSQL server only, and says so where there is none. */
export function describeOnServer(title: string, suite: () => void): void {
  if (testDatabaseUrl() !== undefined) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`Skipped "${title}": ${REASON}.\n`);
  describe.skip(`${title} (skipped: ${REASON})`, suite);
}
