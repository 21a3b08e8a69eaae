import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../src/with-client';
import { testDatabaseUrl } from '../../../test/setup/test-environment';
import { describeOnServer } from '../../../test/support/describe-on-server';
import { BUILT_KIT } from './built-kit';

/** A test run that is killed, such as by Ctrl+C. */
const TEST_RUN = `
const { startUserAdministration } = require(process.env.KIT);
startUserAdministration({ databaseUrl: process.env.SERVER }).then(() => console.log('started'));
setInterval(() => {}, 1000);`;

describeOnServer('a temporary database whose test run is killed', () => {
  it('is dropped', async () => {
    const server = testDatabaseUrl() ?? '';
    const name = `killed_${process.pid}`;
    // The application name tells the connections of this kit from those of other tests.
    const marked = Object.assign(new URL(server), { search: `?application_name=${name}` }).href;
    await withClient(server, async (client) => {
      const run = spawn(process.execPath, ['-e', TEST_RUN], {
        env: { ...process.env, KIT: BUILT_KIT, SERVER: marked },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(run.stdout, 'data');
      const { rows } = await client.query<{ datname: string }>(
        `SELECT DISTINCT datname FROM pg_stat_activity WHERE application_name = $1 AND datname LIKE 'test\\_%'`,
        [name],
      );
      expect(rows).toHaveLength(1);
      run.kill('SIGKILL');
      const remaining = async () =>
        (await client.query('SELECT FROM pg_database WHERE datname = $1', [rows[0]?.datname])).rowCount;
      for (let tries = 0; tries < 100 && (await remaining()) !== 0; tries++) await sleep(100);
      expect(await remaining()).toBe(0);
    });
  });
});
