import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILT_KIT } from './built-kit';

const JEST = join(__dirname, '../../../node_modules/jest/bin/jest.js');

// Our own environment shares Node's realm with the suites: there, fake timers would stop Node itself.
it('the kit works in a suite that moves, freezes or replaces its clocks', async () => {
  const config = { rootDir: __dirname, testMatch: ['**/moved-clocks.suite.cjs'], transform: {}, testTimeout: 60_000 };
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [JEST, '--ci', '-i', '--config', JSON.stringify(config)],
    {
      env: { ...process.env, KIT: BUILT_KIT, JEST_WORKER_ID: undefined },
    },
  );
  expect(stderr).toContain('13 passed, 13 total');
});
