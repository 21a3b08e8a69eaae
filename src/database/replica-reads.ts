import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Replica } from './replica';
import { databaseCode } from './sql-errors';

/** A query that finds a row in a replica that is recent enough. */
export interface Proof {
  statement: string;
  parameters: unknown[];
}

/**
 * Reads that may be a few moments old: from the replicas in turn, and from the database itself where there are none, or where the
 * one whose turn it is cannot be read. So a replica can only help. Nothing that decides who may call, what is permitted or what is
 * written comes this way.
 */
export class ReplicaReads implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Reads that the database did because no replica did. */
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

  /** @param proof of how much a replica must hold; left out, it may be as old as it likes */
  async query<Row extends object>(statement: string, parameters: unknown[], proof?: Proof): Promise<Row[]> {
    if (this.replicas.length > 0) {
      const rows = await this.ask<Row>(this.next(), statement, parameters, proof);
      if (rows) return rows;
      this.fallbacks += 1;
    }
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
        `A replica cannot be read (${databaseCode(error) ?? 'no answer'}); the database is asked instead.`,
      );
      return undefined;
    }
  }
}
