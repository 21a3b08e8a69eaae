import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import {
  ConnectionPools,
  DatabaseClient,
  type OpenedDatabase,
  OutageNotice,
  ReservedStatements,
  Statements,
} from '@user-administration/postgres';
import { startTestService, type TestService } from '../support/test-service';
import { openTestDatabase } from '../support/test-database';
import { ask } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';

const POOL_SIZE = 2;
const DOCS = join(__dirname, '../../docs');

describeOnServer('a process on a server without a free connection', () => {
  let database: OpenedDatabase;
  let service: TestService;
  let admin: Client;
  let name: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    const url = new URL(database.url);
    name = url.pathname.slice(1);
    admin = new Client(database.url);
    await admin.connect();
    // The limit does not apply to a superuser.
    await admin.query(`CREATE ROLE ${name}_service LOGIN`);
    await admin.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}_service`);
    await admin.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}_service`);
    url.username = `${name}_service`;
    service = await startTestService({ database: { url: url.href, poolSize: POOL_SIZE } });
  });
  afterEach(() => allow(-1));
  afterAll(async () => {
    await service?.close();
    await admin?.query(`DROP OWNED BY ${name}_service`);
    await admin?.query(`DROP ROLE ${name}_service`);
    await admin?.end();
    await database?.close();
  });

  /** As if others took all connections but these. A process that has more keeps them. */
  const allow = (connections: number) => admin.query(`ALTER ROLE ${name}_service CONNECTION LIMIT ${connections}`);
  /** Ends the connections whose last statement contains this. */
  const cut = (words: string) =>
    admin.query(
      'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = $1 AND strpos(query, $2) > 0',
      [`${name}_service`, words],
    );

  async function answers(): Promise<string[]> {
    const authorization = `Bearer ${service.serviceToken()}`;
    const [users, ready] = [
      await ask(`${service.url}/api/users`, { headers: { authorization } }),
      await ask(`${service.url}/health/ready`),
    ];
    return [users, ready].map(({ status, headers }) => `${status} ${headers.get('retry-after')}`);
  }

  /** What the heartbeat says after its next attempt to reconnect. */
  async function afterAttempt(): Promise<string> {
    const { heartbeat } = service.app.get(ConnectionPools);
    const { notice } = heartbeat;
    for (;;) {
      const said = await new Promise<string>((resolve) => {
        heartbeat.notice = Object.assign(new OutageNotice(new Logger()), {
          failed: resolve,
          succeeded: () => resolve('served'),
        });
      });
      heartbeat.notice = notice;
      // The connection ended while it was in use.
      if (!said.includes('no answer')) return said;
    }
  }

  it('opens DATABASE_POOL_SIZE connections and four more, as the pages tell', async () => {
    const opened = async () => {
      const [row] = (
        await admin.query('SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = $1', [`${name}_service`])
      ).rows as { count: number }[];
      return row?.count;
    };
    await admin.query('SELECT pg_advisory_lock(1)');
    const statements = [service.app.get(Statements), service.app.get(ReservedStatements)].flatMap((each) =>
      Array.from({ length: 5 }, () => each.query('SELECT pg_advisory_xact_lock_shared(1)')),
    );
    try {
      // Before those that wait for a connection are refused.
      await eventually(async () => expect(await opened()).toBe(POOL_SIZE + 4), { patienceMs: 10_000 });
    } finally {
      await admin.query('SELECT pg_advisory_unlock(1)');
      await Promise.all(statements);
    }
    expect(await opened()).toBe(POOL_SIZE + 4);
    const pages = ['proxies', 'watch', 'scaling'].map((page) => readFileSync(join(DOCS, `${page}.md`), 'utf8'));
    expect(pages.map((page) => /`DATABASE_POOL_SIZE` \+ (\d+)/.exec(page)?.[1])).toEqual(['4', '4', '4']);
    expect(readFileSync(join(DOCS, '../.env.example'), 'utf8')).toContain('Each process opens up to four more');
  });

  it('is not ready while it has none, even if it is making one, and serves again when it has', async () => {
    const { heartbeat, connection } = service.app.get(ConnectionPools);
    const unmade = new DatabaseClient(connection);
    heartbeat.watch(unmade);
    await allow(0);
    await cut('');
    expect(await afterAttempt()).toMatch(/^The database at \S+:\d+ is away \(53300\)$/);
    expect(await answers()).toEqual(['503 1', '503 1']);
    heartbeat.connectionFailed(unmade, new Error('never made'));
    await allow(-1);
    await eventually(async () => expect(await answers()).toEqual(['200 null', '200 null']));
  });

  it('is not ready if it can make none, although the heartbeat keeps its own', async () => {
    await eventually(async () => expect(await answers()).toEqual(['200 null', '200 null']));
    await admin.query(`ALTER ROLE ${name}_service NOLOGIN`);
    try {
      // All but that of the heartbeat, whose last statement is the check.
      await admin.query(
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
         WHERE usename = $1 AND query NOT LIKE '%pg_is_in_recovery%'`,
        [`${name}_service`],
      );
      await eventually(async () => expect(await answers()).toEqual(['503 1', '503 1']));
    } finally {
      await admin.query(`ALTER ROLE ${name}_service LOGIN`);
    }
    await eventually(async () => expect(await answers()).toEqual(['200 null', '200 null']));
  });

  it('is ready while the process keeps those of its requests', async () => {
    await eventually(async () => expect(await answers()).toEqual(['200 null', '200 null']));
    await allow(0);
    await cut('pg_is_in_recovery');
    expect(await afterAttempt()).toBe('served');
    expect(await answers()).toEqual(['200 null', '200 null']);
  });
});
