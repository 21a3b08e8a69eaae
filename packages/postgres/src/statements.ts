import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionPool, ConnectionPools } from './connection-pools';
import { DatabaseAwayError } from './database-errors';
import { DATABASE, type OpenedDatabase } from './opened-database';
import { isConnectionOver } from './sql-errors';

/** Something that can send a statement: the manager of a transaction, or the pool itself ({@link Statements}). */
export interface Queryable {
  query<Rows>(statement: string, values?: unknown[]): Promise<Rows>;
}

/** Sends single statements to the pool. */
@Injectable()
export class Statements implements Queryable {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pools?: ConnectionPools,
  ) {}

  /** Whether a statement can reach a server other than the one that was checked when its connection was made. */
  get isBehindPooler(): boolean {
    return this.pools?.isBehindPooler ?? false;
  }

  /** @returns the rows; use it only for statements that return rows */
  async query<Rows>(statement: string, values?: unknown[]): Promise<Rows> {
    this.dataSource.logger.logQuery(statement, values);
    // The pool's own `query` closes the connection after any failure, even if an SQL function refuses the change.
    const client = await this.pool.connect();
    try {
      const { rows } = await client.query(statement, values);
      client.release();
      return rows as Rows;
    } catch (error) {
      client.release(isConnectionOver(error));
      throw error;
    }
  }

  protected get pool(): Pool {
    const { master } = this.dataSource.driver as unknown as { master: Pool | undefined };
    if (!master) throw new DatabaseAwayError('not connected yet');
    return master;
  }
}

/**
 * Sufficient, because concurrent lookups share a statement, which takes less than a millisecond, and the journal is
 * sealed by one at a time.
 */
const RESERVED_CONNECTIONS = 3;

/**
 * Sends single statements on a few reserved connections, for the lookup of callers and for sealing the journal. Units
 * of work that wait for locks can hold every connection of the pool. Without the reserve, callers would have to wait
 * for them only to be refused.
 */
@Injectable()
export class ReservedStatements extends Statements implements OnApplicationShutdown {
  private readonly reserve: Pool | undefined;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    pools: ConnectionPools,
    @Inject(DATABASE) { embedded }: OpenedDatabase,
  ) {
    super(dataSource, pools);
    // The embedded database has only one session to share.
    if (!embedded) this.reserve = new ConnectionPool({ max: RESERVED_CONNECTIONS, pools });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reserve?.end();
  }

  protected override get pool(): Pool {
    // It throws until the service has connected for the first time.
    const shared = super.pool;
    return this.reserve ?? shared;
  }
}
