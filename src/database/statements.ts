import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { BoundedPools } from './bounded-pools';
import { DatabaseAwayError } from './database-errors';
import { isConnectionOver } from './sql-errors';

/** Something that can send a statement: the manager of a transaction, or the pool itself ({@link Statements}). */
export interface Queryable {
  query<Rows>(statement: string, values?: unknown[]): Promise<Rows>;
}

/** Sends single statements to the pool, or to reserved connections (`ReservedStatements`), which a data source does not have. */
@Injectable()
export class Statements implements Queryable {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pools?: BoundedPools,
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
