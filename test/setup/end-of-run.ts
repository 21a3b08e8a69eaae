import { templateOnServer } from './database-template';

/** After all suites. */
export default async function endRun(): Promise<void> {
  await templateOnServer?.close();
}
