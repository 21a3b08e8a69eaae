import { closeFreeDatabases } from './embedded-test-databases';
import { templateOnServer } from './database-template';

/** After all suites. */
export default async function endRun(): Promise<void> {
  await templateOnServer?.close();
  // Of a run without workers.
  await closeFreeDatabases();
}
