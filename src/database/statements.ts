import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { DatabaseAwayError } from './sql-errors';

/** What a statement can be sent by: the manager of a transaction, or the pool itself ({@link Statements}). */
export interface StatementSender {
  query<Rows>(statement: string, values?: unknown[]): Promise<Rows>;
}

/**
 * Sends statements that are units of work by themselves straight to the pool. TypeORM would make a query runner for each, with a
 * manager and a broadcaster of events, at half the price of what `pg` does for it.
 */
@Injectable()
export class Statements implements StatementSender {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @returns the rows; only for statements that answer with some */
  async query<Rows>(statement: string, values: unknown[]): Promise<Rows> {
    this.dataSource.logger.logQuery(statement, values);
    const { rows } = await this.pool.query(statement, values);
    return rows as Rows;
  }

  private get pool(): Pool {
    const { master } = this.dataSource.driver as unknown as { master: Pool | undefined };
    if (!master) throw new DatabaseAwayError('not connected yet');
    return master;
  }
}
