import { Injectable } from '@nestjs/common';
import type { Representation } from '../contract/answers';
import { ServiceError } from '../contract/errors';
import { LIMITS } from '../contract/limits';
import { dryRun } from '../database/dry-run';
import type { Queryable } from '../database/statements';
import { type IdempotentUnit, Transactions } from '../database/transactions';
import { ChangeCounts, type UserChanges } from '../directory/change-counts';
import { type BulkOptions, wantsResult } from './bulk-options';
import type { LeftOutDto } from './dto/bulk.dto';
import { countOf, type IdListRule, type IdLists, type KnownIds, leftOut } from './id-list.rules';
import type { RecordedChange } from './recorded-changes';

/** The answer of the SQL function of an operation. */
export interface BulkRow {
  /** Everything was found and done, or something was not found and nothing was written. */
  outcome: 'done' | 'unknown';
  /** The ids that were found, if something was not, or if the operation is lenient. */
  known_users: string[] | null;
  known_workspaces?: string[] | null;
  known_groups?: string[] | null;
  /** For callers that request a result. */
  changes: RecordedChange[] | null;
}

/** An operation on many users. */
interface BulkOperation<Row extends BulkRow, Changed> {
  request: IdLists;
  /** The lists of ids in the request. */
  lists: readonly IdListRule[];
  /** The first refusal in the contract's order. Without `known`, the database has not been queried yet. */
  refusal(known?: KnownIds): ServiceError | undefined;
  /** Calls the SQL function, which locks, judges the caller, writes, refreshes types and appends to the journal. */
  change(sender: Queryable): Promise<Row>;
  counts(row: Row): Partial<UserChanges>;
  /** The changed users, by id. */
  changed(changes: readonly RecordedChange[]): Changed[];
}

type BulkResult<Changed> = LeftOutDto & { users: Changed[] };

/** The result, for callers that request it. */
export type BulkRepresentation<Changed> = Representation<BulkResult<Changed>> | undefined;

/** Runs an operation on many users in one transaction, which a dry run rolls back. */
@Injectable()
export class BulkChanges {
  constructor(
    private readonly transactions: Transactions,
    private readonly counts: ChangeCounts,
  ) {}

  /**
   * A dry run leaves nothing, not even an idempotency key.
   *
   * @throws ServiceError for the first check that fails
   */
  async make<Row extends BulkRow, Changed>(
    operation: BulkOperation<Row, Changed>,
    options: BulkOptions,
    unit?: IdempotentUnit,
  ): Promise<BulkRepresentation<Changed>> {
    const refusal = operation.refusal();
    if (refusal) throw refusal;

    const work = async (sender: Queryable) => {
      const row = await operation.change(sender);
      // The function has written nothing. An idempotency key, if there is one, is released by the rollback.
      if (row.outcome === 'unknown') throw operation.refusal(knownOf(row)) ?? new Error(UNEXPLAINED);
      const result = wantsResult(options) ? resultOf(operation, row) : undefined;
      // Refused before the commit, so that nothing is written.
      if (result && Buffer.byteLength(JSON.stringify(result)) > LIMITS.pageBytes) throw tooLargeToRepresent();
      return { counts: operation.counts(row), answer: result && { result, dryRun: options.dryRun } };
    };
    if (options.dryRun) return (await dryRun(this.transactions, work)).answer;
    const kept = (made: Awaited<ReturnType<typeof work>>) => made.answer;
    // A result that is too large rolls back, so it needs more than one statement.
    const { counts, answer } = wantsResult(options)
      ? await this.transactions.run(work, unit, kept)
      : await this.transactions.call(work, unit, kept);
    this.counts.add(counts);
    return answer;
  }
}

function tooLargeToRepresent(): ServiceError {
  return new ServiceError('request.too_large_to_represent', { args: { max: LIMITS.representedMemberships } });
}

const UNEXPLAINED = 'The database refused the change, though it found every id.';

function knownOf({ known_users, known_workspaces, known_groups }: BulkRow): KnownIds {
  return { users: known_users ?? [], workspaces: known_workspaces ?? [], groups: known_groups ?? [] };
}

function resultOf<Row extends BulkRow, Changed>(
  { request, lists, changed }: BulkOperation<Row, Changed>,
  row: Row,
): BulkResult<Changed> {
  const users = changed(row.changes ?? []);
  const found = row.known_users?.length ?? countOf(request.userIds);
  const refused = row.known_users ? lists.flatMap((list) => leftOut(list, request, knownOf(row))) : [];
  return { users, unchanged: found - users.length, refused };
}
