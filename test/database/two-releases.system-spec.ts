import { SQL_ROOT } from '../../src/database/migrate';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { createDataSource } from '../support/whole-schema';
import { type OpenedDatabase, readSqlFunctions } from '@user-administration/postgres';
import { DirectoryBuilder } from '../support/directory-builder';
import { openTestDatabase } from '../support/test-database';
import { ASSIGNED, STATUS_UPDATED } from '../support/ask';
import { Load, USERS } from '../support/load';
import { describeOnServer } from '../support/describe-on-server';
import { ServiceProcess } from '../support/service-process';
import { NEXT_REASON, NextRelease } from './next-release';

/** Of each process, while both are there. */
const ANSWERS = 60;

describeOnServer('a release and the next one, on one database', () => {
  const secret = randomBytes(32).toString('hex');
  const token = signAccessToken({ key: { kind: 'secret', secret } }, { sub: 'ada', expiresIn: 600 });
  const next = new NextRelease();
  const processes: ServiceProcess[] = [];
  const loads: Load[] = [];
  const told: string[] = [];
  let database: OpenedDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await openTestDatabase({ empty: true });
  });
  afterAll(async () => {
    await Promise.all(loads.map((load) => load.end()));
    await Promise.all(processes.map((one) => one.stop()));
    await dataSource?.destroy();
    await database?.close();
    next.remove();
  });

  async function start(root?: string): Promise<ServiceProcess> {
    const environment = {
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '3',
      JWT_SECRET: secret,
      LOG_LEVEL: 'warn',
      FAIR_USE_PER_CALLER: '0',
      FAIR_USE_PER_ADDRESS: '0',
    };
    const service = await ServiceProcess.start(environment, root);
    processes.push(service);
    await service.until(200, '/health/ready');
    return service;
  }

  function callOn({ url }: ServiceProcess): Load {
    const load = new Load(url, token);
    loads.push(load);
    return load;
  }

  /** The callers of a process go before it does, as a load balancer sees to. */
  async function leave(service: ServiceProcess, load: Load): Promise<void> {
    told.push(...(await load.end()));
    expect(await service.stop()).toBe(0);
    expect(service.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  }

  async function serveBoth(one: Load, other: Load): Promise<void> {
    await Promise.all([one.go(ANSWERS), other.go(ANSWERS)]);
  }

  async function reasons(): Promise<(string | null)[]> {
    const rows: { reason: string | null }[] = await dataSource.query(
      `SELECT DISTINCT reason FROM journal_entries WHERE action = 'user.status.changed' ORDER BY 1 NULLS FIRST`,
    );
    return rows.map(({ reason }) => reason);
  }

  async function hashes(): Promise<Record<string, string>> {
    const rows: { name: string; hash: string }[] = await dataSource.query('SELECT name, hash FROM sql_functions');
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
  }

  it('serve side by side under load without an error, also if the old one is started again, which takes nothing back', async () => {
    const ours = Object.fromEntries(readSqlFunctions(SQL_ROOT).map(({ name, hash }) => [name, hash]));
    const old = await start();
    dataSource = await createDataSource(database).initialize();
    const directory = new DirectoryBuilder(dataSource);
    for (const workspace of ['atlas', 'borealis']) await directory.workspace(workspace);
    await directory.user('ada', { type: 'administrator' });
    for (const user of USERS) await directory.user(user);
    const oldLoad = callOn(old);
    await oldLoad.go(ANSWERS);
    expect(await hashes()).toEqual(ours);
    expect(await reasons()).toEqual([null]);

    const newer = await start(next.root);
    const newerLoad = callOn(newer);
    await serveBoth(oldLoad, newerLoad);
    const theirs = Object.fromEntries(readSqlFunctions(join(next.root, 'dist')).map(({ name, hash }) => [name, hash]));
    expect(theirs).toEqual({
      ...ours,
      assign_users: expect.not.stringMatching(ours.assign_users ?? '') as string,
      change_user_status_2: expect.any(String) as string,
    });
    expect(await hashes()).toEqual(theirs);
    expect(await reasons()).toEqual([null, NEXT_REASON]);
    await leave(old, oldLoad);

    const again = await start();
    const againLoad = callOn(again);
    await serveBoth(againLoad, newerLoad);
    expect(await hashes()).toEqual(theirs);
    expect(
      again.logged('The database has the SQL functions of a later release. This process runs with them.'),
    ).toHaveLength(1);
    await leave(newer, newerLoad);
    await againLoad.go(ANSWERS);
    await leave(again, againLoad);

    expect(new Set(told)).toEqual(new Set([`200 ${ASSIGNED}`, `200 ${STATUS_UPDATED}`]));
  });

  it('leave the functions of the newer one if they start at once on an empty database', async () => {
    const theirs = Object.fromEntries(readSqlFunctions(join(next.root, 'dist')).map(({ name, hash }) => [name, hash]));
    await dataSource.destroy();
    await database.close();
    database = await openTestDatabase({ empty: true });
    await Promise.all([start(), start(next.root)]);
    dataSource = await createDataSource(database).initialize();
    expect(await hashes()).toEqual(theirs);
  });
});
