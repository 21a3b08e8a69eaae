import { connect } from '@user-administration/postgres';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createDataSource } from '../support/whole-schema';
import { startTestService, type TestService } from '../support/test-service';
import { PrivatePostgres } from '../support/private-postgres';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';

const SESSIONS = `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
  WHERE application_name = 'user-administration'`;
const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'user-administration'`;

describeOnServer(
  'a database server with TLS and a self-signed certificate',
  () => {
    let postgres: PrivatePostgres;
    let trusted: string;

    beforeAll(async () => {
      postgres = await PrivatePostgres.running();
      const certificate = await postgres.encrypt();
      trusted = `${certificate}.trusted`;
      copyFileSync(certificate, trusted);
    });
    afterAll(() => postgres?.remove());

    const url = (query: string): string => `${postgres.url}?${query}`;
    const ready = async (service: TestService) => (await ask(`${service.url}/health/ready`)).status;

    it('is used if sslrootcert names the certificate, also after the certificate is renewed', async () => {
      const database = { url: url(`sslmode=verify-full&sslrootcert=${trusted}`), poolSize: 2 };
      const service = await startTestService({ database });
      try {
        expect(await ready(service)).toBe(200);
        expect(await postgres.execute(SESSIONS)).toEqual([{ ssl: true }]);

        const certificate = await postgres.encrypt();
        await eventually(async () => {
          await postgres.execute(END_OTHERS);
          expect(await ready(service)).toBe(503);
        });
        copyFileSync(certificate, trusted);
        await eventually(async () => expect(await ready(service)).toBe(200));
        expect(await postgres.execute(SESSIONS)).toEqual([{ ssl: true }]);

        rmSync(trusted);
        await postgres.execute(END_OTHERS);
        await eventually(async () => expect(await ready(service)).toBe(503));
        copyFileSync(certificate, trusted);
        await eventually(async () => expect(await ready(service)).toBe(200));
      } finally {
        await service.close();
      }
    });

    it.each(['sslmode=verify-full', 'sslmode=require'])(
      'is refused if nothing names the certificate (%s)',
      async (query) => {
        await expect(connect(createDataSource({ url: url(query), poolSize: 1 }))).rejects.toThrow(
          'The database cannot be used: the certificate of the server is not trusted. Name the certificate of its authority in DATABASE_URL (sslrootcert=<file>).',
        );
      },
    );

    it('is refused if the certificate is for another host', async () => {
      const named = url(`sslmode=verify-full&sslrootcert=${trusted}`).replace('127.0.0.1', 'localhost');
      await expect(connect(createDataSource({ url: named, poolSize: 1 }))).rejects.toThrow(
        'The database cannot be used: the certificate of the server is for another host. Name the host in DATABASE_URL as the certificate does.',
      );
    });

    it('says what to do where it wants TLS', async () => {
      const [{ hba_file: path }] = (await postgres.execute('SHOW hba_file')) as [{ hba_file: string }];
      const permitted = readFileSync(path, 'utf8');
      await postgres.execute(`CREATE USER bound PASSWORD 'to the certificate'`);
      writeFileSync(path, 'hostssl all bound 127.0.0.1/32 scram-sha-256\nhostssl all all 127.0.0.1/32 trust');
      try {
        await postgres.execute('SELECT pg_reload_conf()');
        await eventually(() =>
          expect(connect(createDataSource({ url: url('sslmode=disable'), poolSize: 1 }))).rejects.toThrow(
            'The database cannot be used: the server does not let the user in DATABASE_URL in from here without encryption (28000). ' +
              'Correct DATABASE_URL: add sslmode=verify-full, if the server wants TLS; otherwise correct the user, or allow it in pg_hba.conf.',
          ),
        );
        const certified = url(`sslmode=verify-full&channel_binding=require&sslrootcert=${trusted}`);
        const bound = certified.replace('postgres@', 'bound:to the certificate@');
        for (const each of [certified, bound]) {
          const dataSource = createDataSource({ url: each, poolSize: 1 });
          await connect(dataSource);
          await dataSource.destroy();
        }
      } finally {
        writeFileSync(path, permitted);
        await postgres.stop();
        await postgres.start();
      }
    });

    it('is used without encryption if the URL asks for none', async () => {
      const service = await startTestService({ database: { url: url('sslmode=disable'), poolSize: 2 } });
      try {
        expect(await ready(service)).toBe(200);
        expect(await postgres.execute(SESSIONS)).toEqual([{ ssl: false }]);
      } finally {
        await service.close();
      }
    });
  },
  'openssl',
);
