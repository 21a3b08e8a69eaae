import { AdvancedConsoleLogger } from 'typeorm';

/** TypeORM's own log, but for a migration that failed: that is thrown as well, and told by whoever catches it. */
export class QuietMigrationLogger extends AdvancedConsoleLogger {
  override logMigration(): void {}
}
