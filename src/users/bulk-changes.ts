import type { AnswerParts, Representation } from '../contract/answers';
import { LIMITS } from '../contract/limits';
import { dryRun, type IdempotentUnit, type Queryable } from '@user-administration/postgres';
import type { Transactions } from '../database/transactions';
import type { Preferences } from '@user-administration/http';
import type { LeftOutDto } from './dto/bulk.dto';
import { type IdList, type IdLists, type KnownIds, tooLargeToRepresent } from './id-lists.rules';
import { leftOut } from './lenient.rules';
import type { RecordedChange } from './recorded-changes';

/** The caller's options for an operation on many users. */
export interface BulkOptions extends Omit<Preferences, 'strict'> {
  /** Run the change, return what it changed, and roll it back. */
  readonly dryRun?: boolean;
}

/** All or nothing, answered with a sentence. */
export const DEFAULT_OPTIONS: BulkOptions = { representation: false, lenient: false };

/** Whether the answer has a result: the changes, and what was skipped. */
export function wantsResult({ dryRun = false, representation, lenient }: BulkOptions): boolean {
  return dryRun || representation || lenient;
}

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

/** Ids to look up. No record has the id null. */
export type Ids = readonly (string | null)[];

/** The arguments of the SQL function of an operation. */
export interface BulkArguments {
  users: Ids;
  /** Whether unknown ids are skipped. */
  lenient: boolean;
  /** Whether the changes are returned. */
  represented: boolean;
}

/** The result, for callers that request it. */
export type BulkRepresentation<Changed> = Representation<LeftOutDto & { users: Changed[] }> | undefined;

/**
 * Runs a change of many users in one transaction. A dry run rolls it back, and leaves nothing, not even an idempotency
 * key.
 */
export async function inBulk<Row, Answer extends AnswerParts | undefined>(
  transactions: Transactions,
  options: BulkOptions,
  unit: IdempotentUnit | undefined,
  work: (sender: Queryable) => Promise<{ row: Row; answer: Answer }>,
): Promise<{ row: Row; answer: Answer }> {
  if (options.dryRun) return dryRun(transactions, work);
  const stored = ({ answer }: { answer: Answer }): AnswerParts | undefined =>
    answer && { json: answer.json, dryRun: answer.dryRun, sentence: answer.sentence };
  // A result that is too large rolls back, so it needs more than one statement.
  return wantsResult(options) ? transactions.run(work, unit, stored) : transactions.call(work, unit, stored);
}

export function knownIn({ known_users, known_workspaces, known_groups }: Omit<BulkRow, 'outcome'>): KnownIds {
  return { users: known_users ?? [], workspaces: known_workspaces ?? [], groups: known_groups ?? [] };
}

/**
 * The result of a change, for callers that request it. Call it within the transaction, so that nothing is written if it
 * is refused.
 *
 * @param toUsers the changed users, by id
 * @param besides what else the result has
 * @throws ServiceError `request.too_large_to_represent`
 */
export function represent<Changed>(
  lists: readonly IdList[],
  request: IdLists,
  options: BulkOptions,
  row: Omit<BulkRow, 'outcome'>,
  toUsers: (changes: readonly RecordedChange[]) => Changed[],
  besides: object = {},
): BulkRepresentation<Changed> {
  if (!wantsResult(options)) return undefined;
  const users = toUsers(row.changes ?? []);
  const unchanged = (row.known_users?.length ?? new Set(request.userIds).size) - users.length;
  const refused = row.known_users ? lists.flatMap((list) => leftOut(list, request, knownIn(row))) : [];
  const result = { users, unchanged, refused, ...besides };
  const json = JSON.stringify(result);
  if (Buffer.byteLength(json) > LIMITS.pageBytes) throw tooLargeToRepresent();
  return { result, json, dryRun: options.dryRun ?? false };
}
