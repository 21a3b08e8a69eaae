import { type DynamicModule, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import { type Database, DATABASE, openDatabase } from './database';
import { connectionOf, dataSourceOptions } from './data-source';
import { DatabaseConnection } from './database-connection';
import { DatabaseWatch } from './database-watch';
import { QuietMigrationLogger } from './quiet-migration.logger';
import { Replica } from './replica';
import { ReplicaReads } from './replica-reads';
import { Statements } from './statements';
import { Transactions } from './transactions';
import { WatchedPools } from './watched-pool';

@Module({
  providers: [
    { provide: DATABASE, inject: [CONFIG], useFactory: openDatabase },
    { provide: DatabaseWatch, inject: [DATABASE], useFactory: (at: Database) => new DatabaseWatch(connectionOf(at)) },
    {
      provide: WatchedPools,
      inject: [DatabaseWatch, CONFIG],
      useFactory: (watch: DatabaseWatch, config: Config) => new WatchedPools(watch, config.databaseBounds),
    },
  ],
  exports: [DATABASE, DatabaseWatch, WatchedPools],
})
class DatabaseAddressModule {}

@Module({})
export class DatabaseModule {
  static register(entities: DataSourceOptions['entities']): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        DatabaseAddressModule,
        TypeOrmModule.forRootAsync({
          imports: [DatabaseAddressModule],
          inject: [DATABASE, WatchedPools],
          // DatabaseConnection connects, so that the service can listen, and say that it waits, while the database is away.
          useFactory: (database: Database, pools: WatchedPools) => ({
            ...dataSourceOptions(database, entities),
            logger: new QuietMigrationLogger(),
            driver: pools.driver(!database.embedded),
            manualInitialization: true,
          }),
        }),
      ],
      providers: [
        DatabaseConnection,
        Statements,
        Transactions,
        {
          provide: ReplicaReads,
          inject: [getDataSourceToken(), CONFIG],
          useFactory: (primary: DataSource, config: Config) => new ReplicaReads(primary, replicasOf(config)),
        },
      ],
      exports: [DatabaseAddressModule, DatabaseConnection, ReplicaReads, Statements, Transactions],
    };
  }
}

function replicasOf({ databaseReplicaUrls, databasePoolSize, databaseBounds }: Config): Replica[] {
  return databaseReplicaUrls.map((url) => new Replica(url, databasePoolSize, databaseBounds));
}
