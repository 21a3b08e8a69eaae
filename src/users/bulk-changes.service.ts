import { Injectable } from '@nestjs/common';
import type { ToldResult } from '../contract/answers';
import { doneIf, type IdempotentUnit, Transactions } from '../database/transactions';
import type { Queryable } from '../database/statements';
import { ChangeCounts, type UserChanges } from '../directory/change-counts';
import type { BulkWishes } from './bulk-wishes';

/** What an operation on many users has done. */
export interface BulkChange<Result extends object> {
  counts: Partial<UserChanges>;
  /** For callers that ask for it. */
  result?: Result;
}

/** Does what an operation on many users does in one transaction, as the caller wishes: for good, or to be undone. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly transactions: Transactions,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * A dry run leaves nothing, no idempotency key either. An answer with a result is kept under its key even if nothing changed,
   * so that a repetition tells the same.
   *
   * @param work is one call of a function of the database, and throws what refuses the request
   */
  async make<Result extends object>(
    work: (sender: Queryable) => Promise<BulkChange<Result>>,
    wishes: BulkWishes,
    unit?: IdempotentUnit,
  ): Promise<ToldResult<Result> | undefined> {
    if (wishes.dryRun) return told(await this.transactions.rehearse(work), true);
    const change = await this.transactions.call(work, unit, (made) => told(made, false) ?? doneIf(isChange(made)));
    this.counts.add(change.counts);
    return told(change, false);
  }
}

function told<Result extends object>({ result }: BulkChange<Result>, dryRun: boolean): ToldResult<Result> | undefined {
  return result && { result, dryRun };
}

function isChange({ counts }: BulkChange<object>): boolean {
  return Object.values(counts).some(Boolean);
}
