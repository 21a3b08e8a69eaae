import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { loadConfig } from '../../src/load-config';
import { createDataSource } from '../support/whole-schema';
import type { OpenedDatabase } from '@user-administration/postgres';
import { tokensFor } from '../../packages/testing/src/start-service';
import { type Answer, post } from '../support/ask';
import { DirectoryBuilder } from '../support/directory-builder';
import { ServiceProcess } from '../support/service-process';
import { openTestDatabase, type TestDatabaseOptions } from '../support/test-database';

const SECRET = randomBytes(32).toString('hex');

/** Two processes of the service that start at once on one database, with three workspaces, two of which have a permission. */
export class TwoProcesses {
  readonly directory: DirectoryBuilder;
  /** The service grants, and is never deactivated. */
  readonly tokens = tokensFor(loadConfig({ JWT_SECRET: SECRET }).accessTokens);

  private constructor(
    private readonly database: OpenedDatabase,
    readonly dataSource: DataSource,
    private readonly processes: readonly ServiceProcess[],
  ) {
    this.directory = new DirectoryBuilder(dataSource);
  }

  static async start(options?: TestDatabaseOptions): Promise<TwoProcesses> {
    const database = await openTestDatabase(options);
    const environment = { DATABASE_URL: database.url, JWT_SECRET: SECRET, FAIR_USE_PER_CALLER: '0', LOG_LEVEL: 'warn' };
    const processes = await Promise.all([ServiceProcess.start(environment), ServiceProcess.start(environment)]);
    for (const one of processes) await one.until(200, '/health/ready');
    const started = new TwoProcesses(database, await createDataSource(database).initialize(), processes);
    const { directory } = started;
    await directory.permission('read', 'member');
    await directory.permission('manage', 'manager');
    await directory.permission('administer', 'administrator');
    await directory.workspace('atlas', ['read']);
    await directory.workspace('borealis', ['manage']);
    await directory.workspace('cosmos');
    return started;
  }

  /** Posts to one process after the other, by turns. */
  ask(turn: number, path: string, token: string, body: object, prefer?: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, prefer };
    return post(`${this.processes[turn % 2]?.url}/api/users/${path}`, body, headers);
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.stop()));
    await this.dataSource.destroy();
    await this.database.close();
  }
}
