import { type DynamicModule, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import { BoundedPools } from './bounded-pools';
import { type OpenedDatabase, DATABASE, openDatabase } from './open-database';
import { dataSourceOptions, QuietMigrationLogger } from './data-source';
import { DatabaseStartup } from './database-startup';
import { DatabaseServers } from './database-servers';
import { Replica } from './replica';
import { ReplicaReads } from './replica-reads';
import { ReservedStatements } from './reserved-statements';
import { Statements } from './statements';
import { Transactions } from './transactions';

@Module({
  providers: [
    { provide: DATABASE, inject: [CONFIG], useFactory: openDatabase },
    { provide: BoundedPools, inject: [DATABASE, CONFIG], useFactory: poolsOf },
  ],
  exports: [DATABASE, BoundedPools],
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
          inject: [DATABASE, BoundedPools],
          // DatabaseStartup connects later, so that the service can listen and report its state while the database is
          // away.
          useFactory: (database: OpenedDatabase, pools: BoundedPools) => ({
            ...dataSourceOptions(database, entities),
            logger: new QuietMigrationLogger(),
            driver: pools.driver(),
            manualInitialization: true,
          }),
        }),
      ],
      providers: [
        DatabaseStartup,
        Statements,
        ReservedStatements,
        Transactions,
        {
          provide: ReplicaReads,
          inject: [getDataSourceToken(), CONFIG, ReservedStatements],
          useFactory: (primary: DataSource, config: Config, reserved: ReservedStatements) =>
            new ReplicaReads(primary, replicasOf(config), reserved),
        },
      ],
      exports: [DatabaseAddressModule, DatabaseStartup, ReplicaReads, ReservedStatements, Statements, Transactions],
    };
  }
}

/** The embedded database has one session, so it needs neither a queue nor prepared statements. */
function poolsOf(database: OpenedDatabase, { databaseBounds, databasePreparedStatements }: Config): BoundedPools {
  const { connectMs } = databaseBounds;
  const own = database.embedded ? {} : { bounds: databaseBounds, prepares: databasePreparedStatements };
  return new BoundedPools(new DatabaseServers(database), databaseBounds, { mustWrite: true, connectMs, ...own });
}

function replicasOf(config: Config): Replica[] {
  return config.databaseReplicaUrls.map((url) => new Replica(url, config));
}
