import type { Attribution } from '../contract/attribution';
import type { UserStatus } from '../contract/directory';
import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import { recordableId, recordableText } from '../journal/recordable';
import type { RecordedChange } from './recorded-changes';

const ASSIGN_STATUSES = prepared(
  'assign_statuses',
  'SELECT outcome, known_users, changed, changes FROM assign_statuses($1, $2, $3, $4, $5, $6, $7, $8)',
);

export interface StatusesChange {
  /** Distinct ids. Null is the id of no record. */
  userIds: (string | null)[];
  /** Null if no status can be set: then the users are only looked up. */
  status: UserStatus | null;
  /** Whether to skip unknown ids. */
  lenient: boolean;
  /** Whether to return the changes. */
  returnChanges: boolean;
}

/** Every user was found and has the status, or nothing was written. */
export type StatusesOutcome =
  | {
      kind: 'done';
      changed: number;
      /** Only for a lenient change. */
      known?: string[];
      changes?: RecordedChange[];
    }
  | { kind: 'unknown'; known: string[] };

interface Row {
  outcome: StatusesOutcome['kind'];
  changed: number;
  known_users: string[] | null;
  changes: RecordedChange[] | null;
}

/**
 * Sets the status of many users and appends to the journal, with one call of the SQL function `assign_statuses`, whose
 * file documents its locks and their order.
 *
 * @throws the error of the database, which `Transactions` turns into a refusal
 */
export async function changeStatuses(
  sender: Queryable,
  { userIds, status, lenient, returnChanges }: StatusesChange,
  { actor, reason, requestId }: Attribution,
): Promise<StatusesOutcome> {
  const [row] = (await sender.query(ASSIGN_STATUSES, [
    userIds,
    status,
    lenient,
    returnChanges,
    actor.kind,
    recordableId(actor.id),
    typeof reason === 'string' ? recordableText(reason) : null,
    requestId ?? null,
  ])) as [Row];
  const known = row.known_users ?? undefined;
  return row.outcome === 'unknown'
    ? { kind: 'unknown', known: known ?? [] }
    : { kind: 'done', changed: row.changed, known, changes: row.changes ?? undefined };
}
