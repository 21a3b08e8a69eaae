import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { DatabaseAwayError } from './database-errors';
import { isConnectionOver } from './sql-errors';

/** What a statement can be sent by: the manager of a transaction, or the pool itself ({@link Statements}). */
export interface Queryable {
  query<Rows>(statement: string, values?: unknown[]): Promise<Rows>;
}

/** A broken connection fails its statement and is dropped from the pool. Without a listener, its `error` event would end the process. */
const ignore = () => undefined;

/**
 * Sends statements that are units of work by themselves straight to the pool. TypeORM would make a query runner, a manager and a
 * broadcaster of events for each, and nothing here uses them.
 */
@Injectable()
export class Statements implements Queryable {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @returns the rows; only for statements that answer with some */
  async query<Rows>(statement: string, values?: unknown[]): Promise<Rows> {
    this.dataSource.logger.logQuery(statement, values);
    // Not by `query` of the pool, which closes the connection after any failure, even where a function refuses what was asked for.
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
