import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { ConnectionPools, KEEP_NO_PREPARED_STATEMENTS, type OpenedDatabase } from '@user-administration/postgres';
import { startTestService, type TestService } from '../support/test-service';
import { openTestDatabase } from '../support/test-database';
import { pathOf } from '../support/postgres-tools';
import { PrivatePgbouncer } from '../support/private-pgbouncer';
import { type Answer, ask, assign, manageStatus } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { Gate } from '../races/gate';

/** As the server has none, single statements need no transaction for them. */
const NO_TIME_LIMITS = {
  DATABASE_STATEMENT_TIMEOUT_MS: '0',
  DATABASE_LOCK_TIMEOUT_MS: '0',
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: '0',
};

/** Two connections to the server, for many to the pooler. */
const SERVER_CONNECTIONS = 2;

describeOnServer(
  'behind PgBouncer in transaction mode',
  () => {
    let database: OpenedDatabase;
    let pooler: PrivatePgbouncer;
    let name: string;
    let direct: Client;
    let started: TestService[] = [];

    beforeAll(async () => {
      database = await openTestDatabase();
      const url = new URL(database.url);
      name = url.pathname.slice(1);
      pooler = await PrivatePgbouncer.start(Number(url.port), SERVER_CONNECTIONS, 0);
      direct = new Client(database.url);
      await direct.connect();
    });
    afterAll(async () => {
      await direct?.end();
      await pooler?.stop();
      pooler?.remove();
      await database?.close();
    });
    afterEach(stopAll);

    async function start(environment: Record<string, string> = {}, poolSize = 4): Promise<TestService> {
      const service = await startTestService({
        database: { url: pooler.url(name), poolSize },
        environment: { DATABASE_PREPARED_STATEMENTS: 'false', ...environment },
      });
      started.push(service);
      return service;
    }

    async function stopAll(): Promise<void> {
      const services = started;
      started = [];
      for (const service of services) await service.close();
    }

    async function clientOfPooler(): Promise<Client> {
      const client = new Client(pooler.url(name));
      await client.connect();
      return client;
    }

    const write = (service: TestService): Promise<Answer> =>
      assign(service, service.tokenOf('ada'), { userIds: ['ben'], workspaces: ['atlas'] });

    it('the service migrates and stops, and leaves no state on the connections of the pooler', async () => {
      await direct.query(`ALTER DATABASE ${name} SET jit = on`);
      const service = await start({ DATABASE_LOCK_TIMEOUT_MS: '1234' });
      await service.directory.workspace('atlas');
      await service.directory.user('ada', { type: 'administrator' });
      await service.directory.user('ben');
      expect((await write(service)).status).toBe(200);
      await stopAll();

      const { rows: locks } = await direct.query(
        `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE locktype = 'advisory' AND datname = $1`,
        [name],
      );
      expect(locks).toEqual([]);
      expect(await othersSee('SHOW lock_timeout')).toEqual([{ lock_timeout: '0' }]);
      expect(await othersSee('SHOW jit')).toEqual([{ jit: 'on' }]);
      expect(await othersSee('SELECT name FROM pg_prepared_statements')).toEqual([]);
    });

    /** What the other clients of the pooler read, on both of its connections to the server. */
    async function othersSee(statement: string): Promise<object[]> {
      const others = [await clientOfPooler(), await clientOfPooler()];
      const seen: object[][] = [];
      for (const other of others) {
        await other.query('BEGIN');
        seen.push((await other.query(statement)).rows);
      }
      // The pooler would close the connection of a client that leaves a transaction.
      for (const other of others) await other.query('ROLLBACK');
      for (const other of others) await other.end();
      expect(seen[1]).toEqual(seen[0]);
      return seen[0] ?? [];
    }

    it('another process then serves many callers at once', async () => {
      const service = await start();
      const answers = await Promise.all(Array.from({ length: 100 }, () => write(service)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await ask(`${service.url}/health/ready`)).status).toBe(200);
    });

    it('changes set their own time limits', async () => {
      const service = await start({ DATABASE_LOCK_TIMEOUT_MS: '300' });
      await direct.query('BEGIN');
      await direct.query(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);
      const answer = await write(service);
      await direct.query('ROLLBACK');
      expect(`${answer.status} ${answer.headers.get('retry-after')}`).toBe('503 1');
    });

    /** For sessions that begin from now on. */
    async function setTimeLimits(): Promise<void> {
      await direct.query(`ALTER DATABASE ${name} SET lock_timeout = '300ms'`);
      await direct.query(`ALTER DATABASE ${name} SET statement_timeout = '1min'`);
      await direct.query(`ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '60s'`);
    }

    it('changes set their own time limits after a session without them, although later connections meet one with them', async () => {
      await pooler.endServerConnections(name);
      // Each of these clients can hold one of the two sessions, so that the service has the other one.
      const [older, newer] = [await clientOfPooler(), await clientOfPooler()];
      try {
        await older.query('BEGIN');
        await setTimeLimits();
        await newer.query('BEGIN');
        await older.query('ROLLBACK');
        const service = await start({ DATABASE_LOCK_TIMEOUT_MS: '300' });
        await older.query('BEGIN');
        await newer.query('ROLLBACK');
        // From here on, all of its connections are made: also the one that looks up callers.
        expect((await write(service)).status).toBe(200);
        const runners = Array.from({ length: 4 }, () => service.dataSource.createQueryRunner());
        for (const runner of runners) await runner.connect();
        for (const runner of runners) await runner.release();
        await newer.query('BEGIN');
        await older.query('ROLLBACK');

        await direct.query('BEGIN');
        await direct.query(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);
        let answered = '';
        void write(service).then(({ status, headers }) => (answered = `${status} ${headers.get('retry-after')}`));
        await eventually(() => expect(answered).toBe('503 1'));
      } finally {
        await older.end();
        await newer.end();
        await direct.query('ROLLBACK');
        await direct.query(`ALTER DATABASE ${name} RESET ALL`);
        await pooler.endServerConnections(name);
      }
    });

    it('single statements need no transaction of their own if the role has the time limits', async () => {
      await setTimeLimits();
      await pooler.endServerConnections(name);
      const service = await start({ DATABASE_LOCK_TIMEOUT_MS: '300' });
      expect(service.app.get(ConnectionPools).boundsOfTransactions).toBeUndefined();
      expect((await write(service)).status).toBe(200);
      await direct.query(`ALTER DATABASE ${name} RESET ALL`);
      await pooler.endServerConnections(name);
    });

    it('the last administrator remains, whatever the default isolation level of the server', async () => {
      await direct.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
      await pooler.endServerConnections(name);
      const service = await start(NO_TIME_LIMITS);
      try {
        await service.directory.user('zoe', { type: 'administrator' });
        const gate = await Gate.close(database.url, 'SELECT FROM administrator_guard FOR UPDATE', []);
        const token = service.serviceToken();
        const answers = ['ada', 'zoe'].map((id) => manageStatus(service, token, { id, token }));
        await gate.waitFor(2).finally(() => gate.open());
        expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
        expect(await othersSee('SHOW default_transaction_isolation')).toEqual([
          { default_transaction_isolation: 'repeatable read' },
        ]);
      } finally {
        await direct.query(`UPDATE users SET status = 'active'`);
        await direct.query(`ALTER DATABASE ${name} RESET ALL`);
        await pooler.endServerConnections(name);
      }
    });

    it('no read-only server is asked who calls, even if the connection to the pooler stays open', async () => {
      const service = await start();
      const status = async () => (await ask(`${service.url}/api/journal`, bearer(service))).status;
      expect(await status()).toBe(200);
      service.app.get(ConnectionPools).heartbeat.stop();
      await direct.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await pooler.endServerConnections(name);
      expect([await status(), await status(), await status()]).toEqual([503, 503, 503]);
      await direct.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await pooler.endServerConnections(name);
      expect(await status()).toBe(200);
    });

    const bearer = (service: TestService) => ({ headers: { authorization: `Bearer ${service.tokenOf('ada')}` } });

    describe('with prepared statements', () => {
      let service: TestService;
      let warn: jest.SpyInstance;
      let clients: Client[] = [];

      beforeEach(() => {
        warn = jest.spyOn(Logger.prototype, 'warn');
      });
      afterEach(async () => {
        warn.mockRestore();
        for (const client of clients) await client.end();
        clients = [];
      });

      /**
       * Of the two connections one is taken at a time: the statement is prepared on the one, and then needed on the other.
       * The pool of the service has one connection: another one would prepare the statement anew.
       */
      async function writeOnOneThenOther(url: string): Promise<number[]> {
        service = await start({ DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: 'true' }, 1);
        const [one, other] = [new Client(url), new Client(url)];
        clients = [one, other];
        for (const client of clients) await client.connect();
        await one.query('BEGIN');
        await one.query('SELECT');
        await eventually(async () => expect((await write(service)).status).toBe(200));
        await other.query('BEGIN');
        await other.query('SELECT');
        await one.query('ROLLBACK');
        const answers: number[] = [];
        for (let count = 0; count < 4; count++) answers.push((await write(service)).status);
        await other.query('ROLLBACK');
        return answers;
      }

      it('one that the pooler has lost is answered 503, and the log names the remedy', async () => {
        const statuses = await writeOnOneThenOther(pooler.url(name));
        expect(statuses).toContain(503);
        expect(statuses).not.toContain(500);
        expect(warn).toHaveBeenCalledWith(KEEP_NO_PREPARED_STATEMENTS);
      });

      const keeps = pathOf('pgbouncer') !== undefined && PrivatePgbouncer.keepsPreparedStatements();
      const reason = 'PgBouncer keeps prepared statements from 1.21 on, and the installed one is older';
      if (!keeps) process.stderr.write(`Skipped "none is lost": ${reason}.\n`);
      (keeps ? it : it.skip)('none is lost where the pooler keeps them', async () => {
        const keeper = await PrivatePgbouncer.start(Number(new URL(database.url).port), SERVER_CONNECTIONS);
        try {
          expect(await writeOnOneThenOther(keeper.url(name))).toEqual([200, 200, 200, 200]);
          expect(warn).not.toHaveBeenCalledWith(KEEP_NO_PREPARED_STATEMENTS);
        } finally {
          await keeper.stop();
          keeper.remove();
        }
      });
    });
  },
  'pgbouncer',
);
