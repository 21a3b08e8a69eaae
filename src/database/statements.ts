import { Injectable, Optional } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { BoundedPools } from './bounded-pools';
import { DatabaseAwayError } from './database-errors';
import { isConnectionOver } from './sql-errors';

/** What a statement can be sent by: the manager of a transaction, or the pool itself ({@link Statements}). */
export interface Queryable {
  query<Rows>(statement: string, values?: unknown[]): Promise<Rows>;
}

/**
 * Sends statements that are units of work by themselves straight to the pool. TypeORM would make a query runner, a manager and a
 * broadcaster of events for each, and nothing here uses them.
 */
@Injectable()
export class Statements implements Queryable {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Optional() private readonly pools?: BoundedPools,
  ) {}

  /** Whether a statement can reach another server than the one that was checked when its connection was made. */
  get isBehindPooler(): boolean {
    return this.pools?.isBehindPooler ?? false;
  }

  /** @returns the rows; only for statements that answer with some */
  async query<Rows>(statement: string, values?: unknown[]): Promise<Rows> {
    this.dataSource.logger.logQuery(statement, values);
    // Not by `query` of the pool, which closes the connection after any failure, even where a function refuses what was asked for.
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
