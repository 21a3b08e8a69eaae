import { Client } from 'pg';
import type { OpenedDatabase } from '@user-administration/postgres';
import { startTestService, type TestService } from '../support/test-service';
import { openTestDatabase } from '../support/test-database';
import { type Answer, ask, assign, manageStatus } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';

/** What a server, a database or a role can have as its default, and what no answer may depend on. */
const HOSTILE = {
  DateStyle: `'German, DMY'`,
  IntervalStyle: `'sql_standard'`,
  TimeZone: `'Asia/Kathmandu'`,
  bytea_output: `'escape'`,
  standard_conforming_strings: 'off',
  extra_float_digits: '-15',
  array_nulls: 'off',
  client_encoding: `'LATIN1'`,
  statement_timeout: '2000',
  lock_timeout: '1',
  idle_session_timeout: '1000',
  default_transaction_isolation: `'serializable'`,
  default_transaction_deferrable: 'on',
  quote_all_identifiers: 'on',
  search_path: 'elsewhere',
  jit: 'on',
};

describeOnServer('a database with other defaults for sessions', () => {
  let database: OpenedDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await openTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const client = new Client(database.url);
    await client.connect();
    await client.query('CREATE SCHEMA elsewhere');
    for (const [setting, value] of Object.entries(HOSTILE)) {
      await client.query(`ALTER DATABASE ${name} SET ${setting} = ${value}`);
    }
    await client.end();
    service = await startTestService({ database });
    await service.directory.workspace('atlas');
    await service.directory.user('ada', { type: 'administrator' });
    await service.directory.user('Łucja \\ 名');
  });
  afterAll(async () => {
    await service?.close();
    await database?.close();
  });

  const get = (path: string): Promise<Answer> =>
    ask(service.url + path, { headers: { authorization: `Bearer ${service.tokenOf('ada')}` } });

  it('does not compile statements just in time', async () => {
    expect(await service.dataSource.query('SHOW jit')).toEqual([{ jit: 'off' }]);
  });

  it('ends no idle session and no long transaction', async () => {
    const ask = `SELECT current_setting('idle_session_timeout') AS idle, coalesce(current_setting('transaction_timeout', true), '0') AS whole`;
    expect(await service.dataSource.query(ask)).toEqual([{ idle: '0', whole: '0' }]);
  });

  it('is migrated, changed and read like any other', async () => {
    const [token, user] = [service.tokenOf('ada'), 'Łucja \\ 名'];
    const before = Date.now();
    const answers = [
      await assign(service, token, { userIds: [user], workspaces: ['atlas'] }),
      await manageStatus(service, token, { id: user, token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const journal = JSON.parse((await get('/api/journal')).text) as { entries: { at: string; user: string }[] };
    expect(journal.entries.map((entry) => entry.user)).toEqual([user, user]);
    for (const { at } of journal.entries) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.parse(at) - before)).toBeLessThan(60_000);
    }
  });

  it('keeps the stored answers of idempotency keys complete', async () => {
    const send = () =>
      ask(`${service.url}/api/users/status-tokens`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.tokenOf('ada')}`,
          'content-type': 'application/json',
          'idempotency-key': '"a key"',
        },
        body: JSON.stringify({ id: 'ada', status: 'active' }),
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
  });
});

describeOnServer('a database that is not supported', () => {
  it('is refused at start if it is not in UTF8', async () => {
    const database = await openTestDatabase();
    const client = new Client(database.url);
    await client.connect();
    const name = `${new URL(database.url).pathname.slice(1)}_latin`;
    try {
      await client.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
      const url = new URL(database.url);
      url.pathname = `/${name}`;
      await expect(startTestService({ database: { url: url.href, poolSize: 1 } })).rejects.toThrow(
        `The database cannot be used: its encoding is LATIN1. Create a database WITH ENCODING 'UTF8'.`,
      );
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.end();
      await database.close();
    }
  });
});
