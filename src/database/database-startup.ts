import { Injectable } from '@nestjs/common';
import { DatabaseStart, type Migrated } from '@user-administration/postgres';
import type { DataSource } from 'typeorm';
import { migrate } from './migrate';

/** Connects the service to its database, and brings it to this release. */
@Injectable()
export class DatabaseStartup extends DatabaseStart {
  protected override migrate(dataSource: DataSource): Promise<Migrated> {
    return migrate(dataSource);
  }
}
