import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { ExpectedError } from '../contract/expected-error';
import { BoundedPools } from './bounded-pools';
import { AnswerLostError, OutcomeUnknownError } from './database-errors';
import { isConflict, refusalOf } from './sql-errors';
import { type Queryable, Statements } from './statements';

/** With the pauses between them, three seconds, more or less: at SERIALIZABLE, many writers to the same few rows need it. */
const MAX_ATTEMPTS = 16;
const FIRST_BACKOFF_MS = 5;
const MAX_BACKOFF_MS = 500;

/** What makes of a unit of work one that is done once, however often it is asked for: see `src/idempotency/`. */
export interface IdempotentUnit {
  /** Comes first in the transaction of the unit. Whatever it throws, the unit is not done. */
  begin(manager: EntityManager): Promise<void>;
  /** Comes last, with the answer to keep, if anything changed. Whatever it throws, the unit is undone. */
  complete(manager: EntityManager, answer: unknown): Promise<void>;
}

/** In place of an answer: the unit of work changed nothing, so a repetition may simply be done again and nothing is kept. */
const NOTHING_CHANGED = Symbol('nothing changed');

/** The answer to keep of a unit of work that tells its caller only that it is done. */
export const doneIf = (changed: boolean): typeof NOTHING_CHANGED | undefined => (changed ? undefined : NOTHING_CHANGED);

/** Carries the result of a unit of work out of the transaction that it makes fail. */
class Rehearsed<T> extends ExpectedError {
  constructor(readonly result: T) {
    super('a rehearsed unit of work is undone');
  }
}

/** Runs units of work: each in one transaction, done again as a whole when the database reports a conflict with another. */
@Injectable()
export class Transactions {
  /** Units of work that were done again, since this process began. */
  retries = 0;
  /** Whether a statement outside of any transaction runs at the level that transactions run at. */
  private isAtLevelByDefault: boolean | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    @Optional() private readonly pools?: BoundedPools,
  ) {}

  /**
   * `work` may run more than once, so it must do nothing that a rollback cannot undo.
   *
   * @param answer what the unit keeps of the result
   * @throws ServiceError when a function of the database refuses
   * @throws OutcomeUnknownError when the connection is lost while it commits, unless the unit can simply be asked for again
   */
  run<T>(
    work: (manager: EntityManager) => Promise<T>,
    unit?: IdempotentUnit,
    answer: (result: T) => unknown = (result) => result,
  ): Promise<T> {
    return this.retried(async () => {
      let commits = false;
      try {
        return await this.dataSource.transaction(async (manager) => {
          await this.bound(manager);
          await unit?.begin(manager);
          const result = await work(manager);
          const kept = answer(result);
          if (kept !== NOTHING_CHANGED) await unit?.complete(manager, kept);
          commits = true;
          return result;
        });
      } catch (error) {
        throw commits && !unit ? unlessAnswered(error) : error;
      }
    });
  }

  /**
   * As {@link run}, for a unit of work that is one call of a function of the database: a single round trip, where nothing
   * else belongs to the unit and the server allows. A server whose default is another isolation level gets a transaction, and so
   * does a pooler that does not keep our bounds on time.
   *
   * @throws ServiceError when the function refuses
   * @throws OutcomeUnknownError when the connection is lost before the answer comes
   */
  async call<T>(
    work: (sender: Queryable) => Promise<T>,
    unit?: IdempotentUnit,
    answer?: (result: T) => unknown,
  ): Promise<T> {
    this.isAtLevelByDefault ??= await this.compareLevels();
    if (unit || !this.isAtLevelByDefault || this.pools?.boundsOfTransactions) return this.run(work, unit, answer);
    return this.retried(async () => {
      try {
        return await work(this.statements);
      } catch (error) {
        throw unlessAnswered(error);
      }
    });
  }

  /** As {@link run}, but undoes everything in the end. Nothing remains of it but numbers that were taken from sequences. */
  async rehearse<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.run(async (manager) => {
        throw new Rehearsed(await work(manager));
      });
    } catch (error) {
      if (error instanceof Rehearsed) return error.result as T;
      throw error;
    }
  }

  /** Behind a pooler, bounds hold for one transaction at a time. */
  private async bound(manager: EntityManager): Promise<void> {
    const bounds = this.pools?.boundsOfTransactions;
    if (!bounds) return;
    await manager.query(
      `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
         set_config('idle_in_transaction_session_timeout', $3, true)`,
      [bounds.statementMs, bounds.lockMs, bounds.idleTransactionMs].map(String),
    );
  }

  private async retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (!isConflict(error)) throw refusalOf(error) ?? error;
        if (attempts === MAX_ATTEMPTS) throw error;
        this.retries += 1;
        await delay(Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempts));
      }
    }
  }

  private async compareLevels(): Promise<boolean> {
    const [row] = await this.statements.query<{ default_transaction_isolation: string }[]>(
      'SHOW default_transaction_isolation',
    );
    return row?.default_transaction_isolation === this.dataSource.options.isolationLevel?.toLowerCase();
  }
}

/** A change whose answer was lost may have been made. */
function unlessAnswered(error: unknown): unknown {
  const cause = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
  if (!(cause instanceof AnswerLostError)) return error;
  return new OutcomeUnknownError(cause.message, cause.code, { cause });
}
