import { Client } from 'pg';
import type { OpenedDatabase } from '@user-administration/postgres';
import { startTestService, type TestService } from '../support/test-service';
import { type Answer, post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { openTestDatabase } from '../support/test-database';
import { Gate } from './gate';

let database: OpenedDatabase;
let service: TestService;

async function start(): Promise<void> {
  service = await startTestService({ database });
  await service.directory.user('ada', { type: 'administrator' });
  await service.directory.user('zoe', { type: 'administrator' });
  await service.directory.user('ben');
}

beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  await service.close();
  await database.close();
});

async function setDefault(level: string): Promise<void> {
  const client = new Client(database.url);
  await client.connect();
  const name = new URL(database.url).pathname.slice(1);
  await client.query(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`);
  // As after a failover: the service needs new connections.
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await client.end();
}

function toggle(id: string, token = service.serviceToken(), headers = {}): Promise<Answer> {
  const url = `${service.url}/api/users/manage-status`;
  return post(url, { id, token }, { authorization: `Bearer ${token}`, ...headers });
}

describeOnServer('the default isolation level of the server', () => {
  it('can change while the service runs, and the last administrator still remains', async () => {
    await start();
    expect((await toggle('ben')).status).toBe(200);
    await setDefault('repeatable read');
    await eventually(async () => expect((await toggle('ben')).status).toBe(200));

    const gate = await Gate.close(database.url, 'SELECT FROM administrator_guard FOR UPDATE', []);
    const answers = await gate.inTurn(
      () => toggle('ada'),
      () => toggle('zoe'),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('can be serializable, and a repeated request is still answered at once while its caller is being changed', async () => {
    await setDefault('serializable');
    await start();
    const token = service.tokenOf('ada');
    const send = () => toggle('ben', token, { 'idempotency-key': 'retried' });
    const first = await send();

    const gate = await Gate.close(database.url, `UPDATE users SET display_name = 'Ada' WHERE id = 'ada'`, []);
    const again = await send().finally(() => gate.commit());

    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
