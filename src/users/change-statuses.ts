import type { Attribution } from '../contract/attribution';
import type { UserStatus } from '../contract/directory';
import { prepared } from '../database/prepared-statements';
import type { Queryable } from '../database/statements';
import { recordableId, recordableText } from '../journal/recordable';
import type { ToldChange } from './told-changes';

const ASSIGN_STATUSES = prepared(
  'assign_statuses',
  'SELECT outcome, known_users, changed, changes FROM assign_statuses($1, $2, $3, $4, $5, $6, $7, $8)',
);

export interface StatusesChange {
  /** Different ids. Null is the id of no record. */
  userIds: (string | null)[];
  /** Null for one that cannot be given: then the users are only looked for. */
  status: UserStatus | null;
  /** Leave out what is unknown. */
  lenient: boolean;
  /** Tell what changed. */
  tell: boolean;
}

/** Every user was found and has the status, or nothing was written. */
export type StatusesOutcome =
  | {
      kind: 'done';
      changed: number;
      /** Of a lenient change. */
      known?: string[];
      changes?: ToldChange[];
    }
  | { kind: 'unknown'; known: string[] };

interface Row {
  outcome: StatusesOutcome['kind'];
  changed: number;
  known_users: string[] | null;
  changes: ToldChange[] | null;
}

/**
 * Gives many users a status and appends that to the journal: one call of the database's function `assign_statuses`, whose file
 * says what it locks in which order.
 *
 * @throws what the database raises, which `Transactions` turns into a refusal
 */
export async function changeStatuses(
  sender: Queryable,
  { userIds, status, lenient, tell }: StatusesChange,
  { actor, reason, requestId }: Attribution,
): Promise<StatusesOutcome> {
  const [row] = (await sender.query(ASSIGN_STATUSES, [
    userIds,
    status,
    lenient,
    tell,
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
