import { Injectable } from '@nestjs/common';
import type { Representation } from '../contract/answers';
import { doneIf, type IdempotentUnit, Transactions } from '../database/transactions';
import type { Queryable } from '../database/statements';
import { ChangeCounts, type UserChanges } from '../directory/change-counts';
import type { BulkOptions } from './bulk-options';

/** The result of an operation on many users. */
export interface BulkChange<Result extends object> {
  counts: Partial<UserChanges>;
  /** For callers that request it. */
  result?: Result;
}

/** Runs an operation on many users in one transaction, which a dry run rolls back. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly transactions: Transactions,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * A dry run leaves nothing, not even an idempotency key. An answer with a result is stored under its key even if
   * nothing changed, so that a retry gets the same result.
   *
   * @param work one call of an SQL function; it throws the refusal of the request
   */
  async make<Result extends object>(
    work: (sender: Queryable) => Promise<BulkChange<Result>>,
    options: BulkOptions,
    unit?: IdempotentUnit,
  ): Promise<Representation<Result> | undefined> {
    if (options.dryRun) return representationOf(await this.transactions.rehearse(work), true);
    const change = await this.transactions.call(
      work,
      unit,
      (made) => representationOf(made, false) ?? doneIf(isChange(made)),
    );
    this.counts.add(change.counts);
    return representationOf(change, false);
  }
}

function representationOf<Result extends object>(
  { result }: BulkChange<Result>,
  dryRun: boolean,
): Representation<Result> | undefined {
  return result && { result, dryRun };
}

function isChange({ counts }: BulkChange<object>): boolean {
  return Object.values(counts).some(Boolean);
}
