import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { ConnectionPools } from '@user-administration/postgres';
import { useTestService } from '../support/test-service';
import { type Answer, ask, assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';

const service = useTestService({ environment: { DATABASE_POOL_SIZE: '4' } });

beforeAll(async () => {
  await service.directory.workspace('atlas');
  await service.directory.user('ada', { type: 'administrator' });
  await service.directory.user('ben');
});

const write = (): Promise<Answer> =>
  assign(service, service.tokenOf('ada'), { userIds: ['ben'], workspaces: ['atlas'] });
const read = (): Promise<Answer> =>
  ask(`${service.url}/api/journal`, { headers: { authorization: `Bearer ${service.tokenOf('ada')}` } });
const ready = (): Promise<Answer> => ask(`${service.url}/health/ready`);
const summary = ({ status, headers }: Answer) => `${status} ${headers.get('retry-after')}`;
const serves = () =>
  eventually(async () => expect([(await write()).status, (await ready()).status]).toEqual([200, 200]));

/** As an operator, on a connection of its own that can write whatever the default is. */
async function operate(...statements: string[]): Promise<void> {
  const client = new Client(service.config.databaseUrl);
  await client.connect();
  await client.query('SET default_transaction_read_only = off');
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const databaseName = () => new URL(service.config.databaseUrl ?? '').pathname.slice(1);

const END_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

describeOnServer('a database that cannot write', () => {
  afterEach(async () => {
    await operate(`ALTER DATABASE ${databaseName()} RESET default_transaction_read_only`);
    await serves();
  });

  it('counts as away, also for reads, and is used again without a restart', async () => {
    await serves();
    await operate(`ALTER DATABASE ${databaseName()} SET default_transaction_read_only = on`, END_OTHERS);
    await eventually(async () => expect((await ready()).status).toBe(503));
    expect([summary(await write()), summary(await read())]).toEqual(['503 1', '503 1']);
    expect(service.app.get(ConnectionPools).heartbeat.trouble?.message).toBe(
      'the database cannot write: it is read-only',
    );
  });

  it('is not asked who calls, and connections to it are dropped', async () => {
    await serves();
    // Made while it could write; from now on each of them says otherwise.
    const holders = Array.from({ length: 4 }, () => service.dataSource.createQueryRunner());
    for (const holder of holders) {
      await holder.connect();
      await holder.query('SET default_transaction_read_only = on');
    }
    const pids = await Promise.all(holders.map(pidOf));
    for (const holder of holders) await holder.release();
    expect(summary(await write())).toBe('503 1');
    await serves();
    const now = service.dataSource.createQueryRunner();
    expect(pids).not.toContain(await pidOf(now));
    await now.release();
  });
});

async function pidOf(runner: QueryRunner): Promise<number | undefined> {
  const [row] = (await runner.query('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
  return row?.pid;
}

describe('a failure of the database that the request did not cause', () => {
  // A connection that cannot write is suspected until the database has been asked again.
  const clear = () =>
    eventually(async () => {
      await service.dataSource.query('DROP TRIGGER IF EXISTS refuses ON workspace_memberships');
      await service.dataSource.query('DELETE FROM workspace_memberships');
    });
  afterEach(clear);

  it.each([
    ['disk full', '53100', true],
    ['out of memory', '53200', true],
    ['an error of a file', '58030', true],
    ['read-only', '25006', false],
    ['a prepared statement that a pooler has lost', '26000', false],
    ['a prepared statement of another client', '42P05', false],
  ])('is answered 503: %s (%s)', async (_, sqlState, isShortage) => {
    await service.dataSource.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${sqlState}'; END $$`);
    await service.dataSource.query(
      'CREATE TRIGGER refuses BEFORE INSERT ON workspace_memberships EXECUTE FUNCTION refuse()',
    );
    expect(summary(await write())).toBe('503 1');
    if (isShortage) {
      // Nobody can know yet that there is room again.
      expect((await ready()).status).toBe(503);
      await clear();
      await serves();
    }
  });
});
