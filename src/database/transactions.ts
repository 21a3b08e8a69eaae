import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ConnectionPools } from './connection-pools';
import { AnswerLostError, OutcomeUnknownError } from './database-errors';
import { refusalOf } from './refusals';
import { boundsValues, TRANSACTION_BOUNDS } from './session-check';
import { driverErrorOf, isConflict } from './sql-errors';
import { type Queryable, Statements } from './statements';

/** With the pauses, about seven seconds. At SERIALIZABLE on a busy machine, 16 attempts did not suffice for 24 writers to the same rows. */
const MAX_ATTEMPTS = 32;
const FIRST_BACKOFF_MS = 5;
const MAX_BACKOFF_MS = 500;
/** How long a retry waits for the one before it, which can itself wait for a lock for long. */
const MAX_WAIT_MS = 500;

/** Makes a unit of work idempotent: see `src/idempotency/`. */
export interface IdempotentUnit {
  /** Runs first in the transaction of the unit. If it throws, the unit does not run. */
  begin(manager: EntityManager): Promise<void>;
  /** Runs last, with the answer to store. If it throws, the unit is rolled back. */
  complete(manager: EntityManager, answer: unknown): Promise<void>;
}

/** What each running transaction does once it has committed. */
const EFFECTS = new WeakMap<EntityManager, (() => void)[]>();

/** Calls `effect` once the transaction of {@link Transactions.run} has committed, and never if it is rolled back. It must not throw. */
export function afterCommit(manager: EntityManager, effect: () => void): void {
  EFFECTS.get(manager)?.push(effect);
}

/** Runs units of work, each in one transaction. It retries the whole unit when the database reports a conflict with another one. */
@Injectable()
export class Transactions {
  retries = 0;
  private lastRetry: Promise<unknown> = Promise.resolve();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly pools?: ConnectionPools,
  ) {}

  /**
   * `work` may run more than once, so it must do nothing that a rollback cannot undo.
   *
   * @param answer what the unit keeps of the result
   * @throws ServiceError when a function of the database refuses
   * @throws OutcomeUnknownError when the connection is lost while it commits, unless an idempotency key makes a retry safe
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
          const result = await work(manager);
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
   * As {@link run}, for a unit of work that is one call of an SQL function. It is a single round trip at READ COMMITTED,
   * unless something else belongs to the unit, or a pooler does not apply this level or our timeouts: then it runs in a
   * transaction.
   *
   * @throws ServiceError when the function refuses
   * @throws OutcomeUnknownError when the connection is lost before the answer comes
   */
  call<T>(work: (sender: Queryable) => Promise<T>, unit?: IdempotentUnit, answer?: (result: T) => unknown): Promise<T> {
    if (unit || this.isolation || this.pools?.boundsOfTransactions) return this.run(work, unit, answer);
    return this.retried(async () => {
      try {
        return await work(this.statements);
      } catch (error) {
        throw unlessAnswered(error);
      }
    });
  }

  /**
   * The level to set. After waiting for a lock, a transaction must see what was committed meanwhile (READ COMMITTED), or be
   * retried (SERIALIZABLE). Undefined if every session is READ COMMITTED.
   */
  private get isolation() {
    const { isolationLevel } = this.dataSource.options;
    return isolationLevel ?? (this.pools?.areReadCommitted ? undefined : 'READ COMMITTED');
  }

  private transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const { isolation } = this;
    return isolation ? this.dataSource.transaction(isolation, work) : this.dataSource.transaction(work);
  }

  private async retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await (attempts === 1 ? attempt() : this.afterOtherRetries(attempt));
      } catch (error) {
        if (!isConflict(error)) throw refusalOf(error) ?? error;
        if (attempts === MAX_ATTEMPTS) throw error;
        this.retries += 1;
        await backoff(attempts);
      }
    }
  }

  /** Retries run one after the other. Otherwise many writers to the same few rows would conflict again in every retry. */
  private afterOtherRetries<T>(attempt: () => Promise<T>): Promise<T> {
    const retry = Promise.race([this.lastRetry, delay(MAX_WAIT_MS, undefined, { ref: false })]).then(attempt);
    this.lastRetry = retry.catch(() => undefined);
    return retry;
  }
}

/** Waits before the next attempt, at random, so that the transactions of a conflict do not meet again. */
export function backoff(attempts: number): Promise<void> {
  return delay(Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempts));
}

/** If the answer to a change was lost, the change may have been made. */
function unlessAnswered(error: unknown): unknown {
  const cause = driverErrorOf(error);
  if (!(cause instanceof AnswerLostError)) return error;
  return new OutcomeUnknownError(cause.message, cause.code, { cause });
}
