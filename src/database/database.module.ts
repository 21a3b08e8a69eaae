import { type DynamicModule, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import { type OpenedDatabase, DATABASE, openDatabase } from './open-database';
import { connectionOf, dataSourceOptions } from './data-source';
import { DatabaseStartup } from './database-startup';
import { DatabaseHeartbeat } from './database-heartbeat';
import { QuietMigrationLogger } from './quiet-migration.logger';
import { Replica } from './replica';
import { ReplicaReads } from './replica-reads';
import { Statements } from './statements';
import { Transactions } from './transactions';
import { WatchedPools } from './watched-pool';

@Module({
  providers: [
    { provide: DATABASE, inject: [CONFIG], useFactory: openDatabase },
    {
      provide: DatabaseHeartbeat,
      inject: [DATABASE],
      useFactory: (at: OpenedDatabase) => new DatabaseHeartbeat(connectionOf(at)),
    },
    {
      provide: WatchedPools,
      inject: [DatabaseHeartbeat, CONFIG],
      useFactory: (watch: DatabaseHeartbeat, config: Config) => new WatchedPools(watch, config.databaseBounds),
    },
  ],
  exports: [DATABASE, DatabaseHeartbeat, WatchedPools],
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
          // DatabaseStartup connects, so that the service can listen, and say that it waits, while the database is away.
          useFactory: (database: OpenedDatabase, pools: WatchedPools) => ({
            ...dataSourceOptions(database, entities),
            logger: new QuietMigrationLogger(),
            driver: pools.driver(!database.embedded),
            manualInitialization: true,
          }),
        }),
      ],
      providers: [
        DatabaseStartup,
        Statements,
        Transactions,
        {
          provide: ReplicaReads,
          inject: [getDataSourceToken(), CONFIG],
          useFactory: (primary: DataSource, config: Config) => new ReplicaReads(primary, replicasOf(config)),
        },
      ],
      exports: [DatabaseAddressModule, DatabaseStartup, ReplicaReads, Statements, Transactions],
    };
  }
}

function replicasOf({ databaseReplicaUrls, databasePoolSize, databaseBounds }: Config): Replica[] {
  return databaseReplicaUrls.map((url) => new Replica(url, databasePoolSize, databaseBounds));
}
