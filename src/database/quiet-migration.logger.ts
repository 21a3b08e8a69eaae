import { AdvancedConsoleLogger } from 'typeorm';

/** TypeORM's log without failed migrations: their error is thrown as well, and the catcher reports it. */
export class QuietMigrationLogger extends AdvancedConsoleLogger {
  override logMigration(): void {}
}
