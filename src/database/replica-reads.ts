import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Replica } from './replica';
import { databaseCode } from './sql-errors';

/** A query that returns a row if the replica is recent enough. */
export interface Proof {
  statement: string;
  parameters: unknown[];
}

/**
 * Reads that may lag by a few moments. Replicas take turns. The database itself answers if there is no replica, or if
 * the next one cannot be read, so a replica can only help. Decisions about callers, permissions and writes never use
 * it.
 */
export class ReplicaReads implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads that the database answered because no replica did. */
  fallbacks = 0;
  private readonly logger = new Logger(ReplicaReads.name);
  private turn = 0;

  constructor(
    private readonly primary: DataSource,
    private readonly replicas: readonly Replica[] = [],
  ) {}

  onApplicationBootstrap(): void {
    for (const replica of this.replicas) replica.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** @param proof how recent the replica must be; without it, any lag is accepted */
  async query<Row extends object>(statement: string, parameters: unknown[], proof?: Proof): Promise<Row[]> {
    if (this.replicas.length > 0) {
      const rows = await this.ask<Row>(this.next(), statement, parameters, proof);
      if (rows) return rows;
      this.fallbacks += 1;
    }
    return this.primary.query(statement, parameters);
  }

  /** Reads the database itself, for readers that must not miss what has just been committed. */
  current<Row extends object>(statement: string, parameters: unknown[]): Promise<Row[]> {
    return this.primary.query(statement, parameters);
  }

  private next(): Replica | undefined {
    const usable = this.replicas.filter((replica) => replica.usable);
    return usable[this.turn++ % usable.length];
  }

  private async ask<Row extends object>(
    replica: Replica | undefined,
    statement: string,
    parameters: unknown[],
    proof: Proof | undefined,
  ): Promise<Row[] | undefined> {
    try {
      if (proof && (await replica?.query(proof.statement, proof.parameters))?.length === 0) return undefined;
      return await replica?.query<Row>(statement, parameters);
    } catch (error) {
      this.logger.warn(
        `A replica cannot be read (${databaseCode(error) ?? 'no answer'}); the database answers instead.`,
      );
      return undefined;
    }
  }
}
