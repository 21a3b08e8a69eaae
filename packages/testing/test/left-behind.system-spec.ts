import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { BUILT_KIT } from './built-kit';

/** A test that has failed while it waited for an event, and did not close the kit. */
const TEST_RUN = `
const { startUserAdministration } = require(process.env.KIT);
startUserAdministration().then(({ events }) => {
  events[Symbol.asyncIterator]().next();
  console.log('waits');
});`;

it("a wait for an event that never comes does not keep a test's process alive", async () => {
  const run = spawn(process.execPath, ['-e', TEST_RUN], {
    env: { ...process.env, KIT: BUILT_KIT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(run.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('waits\n');
  expect(await once(run, 'exit')).toEqual([0, null]);
});
