import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import {
  BoundedReads,
  Cancellation,
  ConnectionPool,
  ConnectionPools,
  ConnectionSlots,
  DATABASE,
  type OpenedDatabase,
  ReservedStatements,
  Statements,
} from '@user-administration/postgres';
import { DATABASE_PARTS, type DatabasePart } from './database-part';
import { openDatabase } from './open-database';
import { type Rule, RULES } from './rule';
import { dataSourceOptions, QuietMigrationLogger } from './data-source';
import { DatabaseStartup } from './database-startup';
import { Transactions } from './transactions';

/**
 * From the inside out: `DatabaseServers` has the addresses and passwords, a `DatabaseClient` is one connection, a
 * `ConnectionPool` bounds how many there are, `Statements` and `Transactions` use it, and `ConnectionSlots` shares it
 * among callers. Beside them, `DatabaseHeartbeat` watches the connections of all pools, and `DatabaseStartup` makes the
 * first connection.
 */
@Module({})
export class DatabaseModule {
  /** The modules of plugins name their entities themselves. */
  static register(
    entities: DataSourceOptions['entities'],
    parts: readonly DatabasePart[],
    rules: readonly Rule[],
  ): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [DATABASE, ConnectionPools],
          // DatabaseStartup connects later, so that the service can listen and report its state while the database is
          // away.
          useFactory: (database: OpenedDatabase, pools: ConnectionPools) => ({
            ...dataSourceOptions(database, parts, entities),
            autoLoadEntities: true,
            logger: new QuietMigrationLogger(),
            driver: { Pool: ConnectionPool },
            extra: { pools },
            manualInitialization: true,
          }),
        }),
      ],
      providers: [
        { provide: DATABASE, inject: [CONFIG], useFactory: (config: Config) => openDatabase(config, parts) },
        { provide: DATABASE_PARTS, useValue: parts },
        { provide: RULES, useValue: rules },
        {
          provide: ConnectionPools,
          inject: [DATABASE, CONFIG],
          useFactory: (database: OpenedDatabase, config: Config) =>
            new ConnectionPools(
              database,
              { bounds: config.databaseBounds, prepares: config.databasePreparedStatements },
              database.embedded,
            ),
        },
        {
          provide: ConnectionSlots,
          inject: [DATABASE, ConnectionPools],
          useFactory: ({ poolSize }: OpenedDatabase, pools: ConnectionPools) => new ConnectionSlots(poolSize, pools),
        },
        BoundedReads,
        Cancellation,
        DatabaseStartup,
        Statements,
        ReservedStatements,
        Transactions,
      ],
      exports: [
        DATABASE_PARTS,
        DATABASE,
        BoundedReads,
        Cancellation,
        ConnectionSlots,
        ConnectionPools,
        DatabaseStartup,
        ReservedStatements,
        Statements,
        Transactions,
      ],
    };
  }
}
