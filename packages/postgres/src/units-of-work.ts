import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectionPools } from './connection-pools';
import { AnswerLostError, OutcomeUnknownError } from './database-errors';
import { DryRunEnd } from './dry-run-end';
import { boundsValues, TRANSACTION_BOUNDS } from './session-check';
import { driverErrorOf, isConflict, isOvertaken } from './sql-errors';
import { type Queryable, Statements } from './statements';

/** With the pauses, about a second. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 500;

/** Makes a unit of work idempotent. */
export interface IdempotentUnit {
  /** Runs first in the transaction of the unit. If it throws, the unit does not run. */
  begin(manager: EntityManager): Promise<void>;
  /** Runs last, with the answer to store. If it throws, the unit is rolled back. */
  complete(manager: EntityManager, answer: unknown): Promise<void>;
}

/** What each running transaction does once it has committed. */
const EFFECTS = new WeakMap<EntityManager, (() => void)[]>();

/**
 * Calls `effect` once the transaction of {@link UnitsOfWork.run} has committed, and never if it is rolled back. It
 * must not throw.
 */
export function afterCommit(manager: EntityManager, effect: () => void): void {
  EFFECTS.get(manager)?.push(effect);
}

/** Runs units of work, each in one transaction. It retries the whole unit when another one overtakes it. */
@Injectable()
export class UnitsOfWork {
  /** The number of conflicts that the database has reported. */
  retries = 0;

  /** Refuses a unit that has done its work, also that of a dry run. A program has its own rules here. */
  protected judge?: (manager: EntityManager) => Promise<void>;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly pools?: ConnectionPools,
  ) {}

  /**
   * `work` may run more than once, so it must do nothing that a rollback cannot undo.
   *
   * @param answer what the unit keeps of the result
   * @throws what {@link refusalOf} makes of a refusal of the database
   * @throws OutcomeUnknownError when the connection is lost while it commits, unless an idempotency key makes a retry
   * safe
   */
  run<T>(
    work: (manager: EntityManager) => Promise<T>,
    unit?: IdempotentUnit,
    answer: (result: T) => unknown = (result) => result,
  ): Promise<T> {
    return this.retried(async () => {
      const effects: (() => void)[] = [];
      let commits = false;
      try {
        const done = await this.transaction(async (manager) => {
          EFFECTS.set(manager, effects);
          // Behind a pooler, timeouts apply to one transaction at a time.
          const bounds = this.pools?.boundsOfTransactions;
          if (bounds) await manager.query(TRANSACTION_BOUNDS, boundsValues(bounds));
          await unit?.begin(manager);
          const result = await (this.judge ? this.judged(manager, work) : work(manager));
          await unit?.complete(manager, answer(result));
          commits = true;
          return result;
        });
        for (const effect of effects) effect();
        return done;
      } catch (error) {
        throw commits && !unit ? unlessAnswered(error) : error;
      }
    });
  }

  /**
   * As {@link run}, for a unit of work that is one call of an SQL function. It is a single round trip, unless something
   * else belongs to the unit, units are judged, or a pooler applies neither READ COMMITTED nor our timeouts: then it runs in a
   * transaction.
   *
   * @throws what {@link refusalOf} makes of a refusal of the function
   * @throws OutcomeUnknownError when the connection is lost before the answer comes
   */
  call<T>(work: (sender: Queryable) => Promise<T>, unit?: IdempotentUnit, answer?: (result: T) => unknown): Promise<T> {
    if (unit || this.judge || !this.areReadCommitted || this.pools?.boundsOfTransactions)
      return this.run(work, unit, answer);
    return this.retried(async () => {
      try {
        return await work(this.statements);
      } catch (error) {
        throw unlessAnswered(error);
      }
    });
  }

  /** The refusal behind a failed unit; undefined for any other failure. A program translates its own here. */
  protected readonly refusalOf: (error: unknown) => Error | undefined = () => undefined;

  private async judged<T>(manager: EntityManager, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const end = await work(manager).catch((error: unknown) => {
      if (error instanceof DryRunEnd) return error;
      throw error;
    });
    await this.judge?.(manager);
    if (end instanceof DryRunEnd) throw end;
    return end;
  }

  /**
   * Whether every session is READ COMMITTED: after waiting for a lock, a transaction must see what was committed
   * meanwhile.
   */
  private get areReadCommitted(): boolean {
    return this.pools?.areReadCommitted ?? false;
  }

  private transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.areReadCommitted
      ? this.dataSource.transaction(work)
      : this.dataSource.transaction('READ COMMITTED', work);
  }

  private async retried<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await retryOvertaken(attempt, (error) => (this.retries += isConflict(error) ? 1 : 0));
    } catch (error) {
      throw this.refusalOf(error) ?? error;
    }
  }
}

/**
 * Makes an attempt again while other transactions overtake it. Pauses in between, at random, so that those of a
 * conflict do not meet again.
 *
 * @throws the error of the last attempt, which says what it met
 */
export async function retryOvertaken<T>(
  attempt: () => Promise<T>,
  onRetry: (error: unknown) => void = () => undefined,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !isOvertaken(error)) throw error;
      onRetry(error);
      await delay(Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts));
    }
  }
}

/** If the answer to a change was lost, the change may have been made. */
function unlessAnswered(error: unknown): unknown {
  const cause = driverErrorOf(error);
  if (!(cause instanceof AnswerLostError)) return error;
  return new OutcomeUnknownError(cause.message, cause.code, { cause });
}
