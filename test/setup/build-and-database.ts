import { spawn } from 'node:child_process';
import { once } from 'node:events';
import makeTemplate from './database-template';

/** Before all suites, if some of them start processes: builds what these run, and makes the database. */
export default async function prepareRun(): Promise<void> {
  await Promise.all([build(), makeTemplate()]);
}

async function build(): Promise<void> {
  const child = spawn(process.execPath, ['scripts/build-if-needed.mjs'], { stdio: ['ignore', 2, 2] });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  if (exitCode !== 0) throw new Error('The build failed.');
}
