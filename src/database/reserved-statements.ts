import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { BoundedPools } from './bounded-pools';
import { DATABASE, type OpenedDatabase } from './open-database';
import { Statements } from './statements';

/** Sufficient, because concurrent lookups share a statement, which takes less than a millisecond. */
const CONNECTIONS = 2;

/**
 * Statements on a few reserved connections, for the lookup of callers. Units of work that wait for locks can hold every
 * connection of the pool. Without the reserve, callers would have to wait for them only to be refused.
 */
@Injectable()
export class ReservedStatements extends Statements implements OnApplicationShutdown {
  private reserve: Pool | undefined;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly boundedPools: BoundedPools,
    @Inject(DATABASE) private readonly database: OpenedDatabase,
  ) {
    super(dataSource, boundedPools);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reserve?.end();
  }

  protected override get pool(): Pool {
    // It throws until the service has connected for the first time. The embedded database has only one session to
    // share.
    const shared = super.pool;
    if (this.database.embedded) return shared;
    return (this.reserve ??= new (this.boundedPools.driver().Pool)({ max: CONNECTIONS }));
  }
}
