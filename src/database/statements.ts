import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { DatabaseAwayError, isConnectionOver } from './sql-errors';

/** What a statement can be sent by: the manager of a transaction, or the pool itself ({@link Statements}). */
export interface Queryable {
  query<Rows>(statement: string, values?: unknown[]): Promise<Rows>;
}

/** Of a connection that broke the statement tells, and the pool keeps it no longer; untold, the process would end. */
const ignore = () => undefined;

/**
 * Sends statements that are units of work by themselves straight to the pool. TypeORM would make a query runner for each, with a
 * manager and a broadcaster of events, and nothing here asks for any of them.
 */
@Injectable()
export class Statements implements Queryable {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @returns the rows; only for statements that answer with some */
  async query<Rows>(statement: string, values?: unknown[]): Promise<Rows> {
    this.dataSource.logger.logQuery(statement, values);
    // Not by `query` of the pool, which ends the connection after any failure, also that of a statement that refuses what was asked for.
    const client = await this.pool.connect();
    client.on('error', ignore);
    try {
      const { rows } = await client.query(statement, values);
      client.release();
      return rows as Rows;
    } catch (error) {
      client.release(isConnectionOver(error));
      throw error;
    } finally {
      client.removeListener('error', ignore);
    }
  }

  private get pool(): Pool {
    const { master } = this.dataSource.driver as unknown as { master: Pool | undefined };
    if (!master) throw new DatabaseAwayError('not connected yet');
    return master;
  }
}
