import type { DataSource, Logger } from 'typeorm';
import { databaseCode } from '@user-administration/postgres';

/** Listens to every statement that a data source sends, for tests of how many they are and whether any failed. */
export class StatementLog implements Logger {
  readonly statements: string[] = [];
  /** SQLSTATEs of the statements that failed. */
  readonly failures: string[] = [];

  static of(dataSource: DataSource): StatementLog {
    return (dataSource.logger = new StatementLog());
  }

  /** The statements sent since the last call. */
  take(): string[] {
    return this.statements.splice(0);
  }

  logQuery(query: string): void {
    this.statements.push(query);
  }

  logQueryError(error: string | Error): void {
    this.failures.push(databaseCode(error) ?? String(error));
  }

  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
