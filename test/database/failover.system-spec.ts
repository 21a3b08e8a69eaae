import { ConnectionPools } from '@user-administration/postgres';
import { startTestService, type TestService } from '../support/test-service';
import { PrivatePostgres } from '../support/private-postgres';
import { UserAdmin } from '../cli/user-admin';
import { type Answer, ask, assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';

describeOnServer(
  'with several servers in DATABASE_URL',
  () => {
    let primary: PrivatePostgres;
    let standby: PrivatePostgres;
    let service: TestService;
    let tool: UserAdmin;

    beforeAll(async () => {
      primary = await PrivatePostgres.running();
      standby = await primary.standby();
      await standby.start();
      const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join();
      const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
      service = await startTestService({ database: { url, poolSize: 4 } });
      await service.directory.workspace('atlas');
      await service.directory.user('ada', { type: 'administrator' });
      await service.directory.user('ben');
      tool = new UserAdmin({ DATABASE_URL: url });
    });
    afterAll(async () => {
      tool?.dispose();
      await service?.close();
      standby?.remove();
      primary?.remove();
    });

    const write = (): Promise<Answer> =>
      assign(service, service.tokenOf('ada'), { userIds: ['ben'], workspaces: ['atlas'] });
    const read = (): Promise<Answer> =>
      ask(`${service.url}/api/journal`, { headers: { authorization: `Bearer ${service.tokenOf('ada')}` } });
    const ready = (): Promise<Answer> => ask(`${service.url}/health/ready`);

    /** The standby has what the primary has. */
    async function caughtUp(): Promise<void> {
      const [{ lsn }] = (await primary.execute('SELECT pg_current_wal_lsn() AS lsn')) as [{ lsn: string }];
      await eventually(async () =>
        expect(await standby.execute(`SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS caught_up`)).toEqual([
          { caught_up: true },
        ]),
      );
    }

    it('the service and the command line use the one that can write, whatever the order', async () => {
      expect((await write()).status).toBe(200);
      expect(await tool.run(['migrate'])).toMatchObject({ exitCode: 0, stdout: 'Nothing is pending.\n' });
      const exported = await tool.run(['directory', 'export']);
      expect(exported.stdout).toContain('{"user":{"id":"ada",');
    });

    it('a standby is enough for an export, but not for an import', async () => {
      await caughtUp();
      const environment = { DATABASE_URL: standby.url };
      const exported = await tool.run(['directory', 'export'], '', environment);
      expect(exported).toMatchObject({ exitCode: 0, stderr: '' });
      expect(exported.stdout).toContain('{"user":{"id":"ada",');
      const imported = await tool.run(['directory', 'import', '-'], '{"user":{"id":"cyd"}}', environment);
      expect(imported).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          'user-admin: The database is a standby or read-only. Set DATABASE_URL to a server that accepts writes, or to several hosts.\n',
      });
    });

    it('no standby is asked who calls, and a promoted standby is found', async () => {
      await caughtUp();
      primary.kill();
      await eventually(async () =>
        expect(service.app.get(ConnectionPools).heartbeat.trouble?.message).toBe(
          'the database cannot write: it is a standby',
        ),
      );
      const answers = await Promise.all([write(), read(), ready()]);
      expect(answers.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`)).toEqual(
        Array<string>(3).fill('503 1'),
      );

      await standby.promote();
      await eventually(async () => {
        const again = await Promise.all([write(), read(), ready()]);
        expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
      });
      expect((await service.directory.state()).workspaces).toEqual(['ben in atlas']);
    });
  },
  'initdb',
);
