import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Replica } from './replica';
import { databaseCode } from './sql-errors';
import type { Queryable } from './statements';

/**
 * Reads that may lag by a few moments. Replicas take turns. The database itself answers if there is no replica, or if
 * the next one cannot be read or is not recent enough, so a replica can only help. Decisions about callers, permissions
 * and writes never use it.
 */
export class ReplicaReads implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads that the database answered because no replica did, or none that was recent enough. */
  fallbacks = 0;
  private readonly logger = new Logger(ReplicaReads.name);
  private turn = 0;

  /** @param reserved connections to the database that units of work cannot exhaust */
  constructor(
    private readonly primary: DataSource,
    private readonly replicas: readonly Replica[] = [],
    readonly reserved: Queryable = primary,
  ) {}

  get hasReplicas(): boolean {
    return this.replicas.length > 0;
  }

  onApplicationBootstrap(): void {
    for (const replica of this.replicas) replica.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /**
   * @param isRecent judges from the rows whether the replica is recent enough. It cannot be asked by a statement of its own: behind a
   *   balancer, each connection can lead to another server
   */
  async query<Row extends object>(
    statement: string,
    parameters: unknown[],
    isRecent: (rows: Row[]) => boolean,
  ): Promise<Row[]> {
    const rows = await this.ask<Row>(statement, parameters);
    if (rows && isRecent(rows)) return rows;
    this.fallbacks += 1;
    return this.current(statement, parameters);
  }

  /** Reads the database itself, for readers that must not miss what has just been committed. */
  current<Row extends object>(statement: string, parameters: unknown[]): Promise<Row[]> {
    return this.primary.query(statement, parameters);
  }

  private async ask<Row extends object>(statement: string, parameters: unknown[]): Promise<Row[] | undefined> {
    const usable = this.replicas.filter((replica) => replica.usable);
    try {
      return await usable[this.turn++ % usable.length]?.query<Row>(statement, parameters);
    } catch (error) {
      this.logger.warn(
        `A replica cannot be read (${databaseCode(error) ?? 'no answer'}); the database answers instead.`,
      );
      return undefined;
    }
  }
}
