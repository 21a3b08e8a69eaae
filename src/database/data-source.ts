import { AdvancedConsoleLogger, DataSource, type DataSourceOptions } from 'typeorm';
import {
  CONNECT_TIMEOUT_MS,
  type ConnectionOptions,
  type DatabaseAddress,
  DatabaseClient,
  DatabaseServers,
} from '@user-administration/postgres';
import type { DatabasePart } from './database-part';
import { CreateTextFolding1789999999000 } from './migrations/1789999999000-create-text-folding';
import { CreateDirectory1790000000000 } from './migrations/1790000000000-create-directory';
import { CreateLists1790000000500 } from './migrations/1790000000500-create-lists';
import { CreateJournal1790000001000 } from './migrations/1790000001000-create-journal';
import { CreateSpentStatusTokens1790000002000 } from './migrations/1790000002000-create-spent-status-tokens';
import { CreateCallingServices1790000002500 } from './migrations/1790000002500-create-calling-services';
import { CreateIdempotencyKeys1790000004000 } from './migrations/1790000004000-create-idempotency-keys';
import { CreateSqlFunctions1790000005000 } from './migrations/1790000005000-create-sql-functions';
import { AddOrigins1790000007000 } from './migrations/1790000007000-add-origins';
import { AddUserKeys1790000008000 } from './migrations/1790000008000-add-user-keys';

const MIGRATIONS = [
  CreateTextFolding1789999999000,
  CreateDirectory1790000000000,
  CreateLists1790000000500,
  CreateJournal1790000001000,
  CreateSpentStatusTokens1790000002000,
  CreateCallingServices1790000002500,
  CreateIdempotencyKeys1790000004000,
  CreateSqlFunctions1790000005000,
  AddOrigins1790000007000,
  AddUserKeys1790000008000,
];

/**
 * The data source of the service, the command line and the tests.
 *
 * {@link DatabaseClient} makes the connections, because TypeORM's parser drops the query of a URL (`sslmode`, the
 * folder of a Unix socket). A pool passes its options to each connection.
 */
export function dataSourceOptions(
  address: DatabaseAddress,
  parts: readonly DatabasePart[],
  entities: DataSourceOptions['entities'] = [],
): DataSourceOptions {
  const connection: ConnectionOptions = { servers: new DatabaseServers(address), connectMs: CONNECT_TIMEOUT_MS };
  return {
    type: 'postgres',
    poolSize: address.poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    installExtensions: false,
    entities,
    migrations: [...MIGRATIONS, ...parts.flatMap(({ migrations = [] }) => migrations)],
    migrationsTableName: 'migrations',
    extra: { Client: DatabaseClient, ...connection },
  };
}

/** TypeORM's log without failed migrations: their error is thrown as well, and the catcher reports it. */
export class QuietMigrationLogger extends AdvancedConsoleLogger {
  override logMigration(): void {}
}

export function createDataSource(
  address: DatabaseAddress,
  parts: readonly DatabasePart[],
  entities?: DataSourceOptions['entities'],
): DataSource {
  return new DataSource({ ...dataSourceOptions(address, parts, entities), logger: new QuietMigrationLogger() });
}
