import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  ConnectionPools,
  DATABASE,
  DatabaseStart,
  type Migrated,
  type OpenedDatabase,
} from '@user-administration/postgres';
import { DataSource } from 'typeorm';
import { DATABASE_PARTS, type DatabasePart } from './database-part';
import { migrate } from './migrate';

/** Connects the service to its database, and brings it to this release. */
@Injectable()
export class DatabaseStartup extends DatabaseStart {
  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(DATABASE) database: OpenedDatabase,
    pools: ConnectionPools,
    @Inject(DATABASE_PARTS) private readonly parts: readonly DatabasePart[],
  ) {
    super(dataSource, database, pools);
  }

  protected override migrate(dataSource: DataSource): Promise<Migrated> {
    return migrate(dataSource, this.parts);
  }
}
