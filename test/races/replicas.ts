import { randomBytes } from 'node:crypto';
import { Transactions } from '../../src/database/transactions';
import type { OpenedDatabase } from '@user-administration/postgres';
import type { DirectoryBuilder } from '../support/directory-builder';
import { startTestService, type TestService } from '../support/test-service';
import { openTestDatabase } from '../support/test-database';
import { StatementLog } from '../database/statement-log';
import { falseTypes } from './false-types';
import { useStarted } from '../support/use-started';
import { Gate } from './gate';

const EXPECTED = /^UA...$/;

/** Two instances of the service on one database, with one secret, as a load balancer would have them. */
export class Replicas {
  private retriesTaken = 0;

  private constructor(
    readonly database: OpenedDatabase,
    readonly both: readonly [TestService, TestService],
    private readonly logs: readonly StatementLog[],
  ) {}

  static async start(): Promise<Replicas> {
    const database = await openTestDatabase();
    // A burst may take long on a busy machine.
    const environment = { JWT_SECRET: randomBytes(32).toString('hex'), DATABASE_QUEUE_TIMEOUT_MS: '120000' };
    const one = await startTestService({ database, environment });
    const other = await startTestService({ database, environment });
    const logs = [StatementLog.of(one.dataSource), StatementLog.of(other.dataSource)];
    return new Replicas(database, [one, other], logs);
  }

  get directory(): DirectoryBuilder {
    return this.both[0].directory;
  }

  /** One replica after the other, by turns. */
  at(turn: number): TestService {
    return this.both[turn % 2] as TestService;
  }

  /** Locks rows in a transaction outside of the service, so that whoever needs them queues up behind. */
  gate(statement: string, parameters: unknown[] = []): Promise<Gate> {
    return Gate.close(this.database.url, statement, parameters);
  }

  /** At the first replica's database connections. */
  query<T = unknown[]>(statement: string, parameters: unknown[] = []): Promise<T> {
    return this.both[0].dataSource.query(statement, parameters);
  }

  /**
   * SQLSTATEs of the statements that failed on either replica since the last call: a deadlock shows here, even if tried
   * again. A refusal by a function of ours (class UA) is no failure. A unit of one statement does not log its failure, so
   * every unit that was tried again is one more.
   */
  takeFailures(): string[] {
    const failed = this.logs.flatMap((log) => log.failures.splice(0)).filter((state) => !EXPECTED.test(state));
    const retried = this.retries - this.retriesTaken;
    this.retriesTaken = this.retries;
    return retried === 0 ? failed : [...failed, `${retried} units were tried again`];
  }

  /** The number of units that either replica has tried again. */
  get retries(): number {
    return this.both.reduce((sum, { app }) => sum + app.get(Transactions).retries, 0);
  }

  falseTypes(): Promise<object[]> {
    return falseTypes(this.both[0].dataSource);
  }

  async close(): Promise<void> {
    for (const replica of this.both) await replica.close();
    await this.database.close();
  }
}

/** Two replicas for all tests of a suite. */
export function useReplicas(): Replicas {
  return useStarted(() => Replicas.start());
}
