import type { Actor } from '../contract/journal';
import type { JournalEntryDto } from './dto/journal-page.dto';

/** The columns that a change and its entries share. */
export interface ChangeRow {
  at: Date;
  action: string;
  actor_kind: Actor['kind'];
  actor_id: string;
  granted_by: string | null;
  workspace_ids: string[];
  before: object | null;
  after: object | null;
  reason: string | null;
  request_id: string | null;
  traceparent: string | null;
  /** Its reason and personal facts were erased. */
  erased: boolean;
}

/** The users of a change, or NULL if it has none, for a query in which the table is called `change`. */
export const CHANGE_USERS = 'COALESCE(change.user_ids, ARRAY[change.user_id])';

/** The keys of these users, each where its id stands; null for an id that nobody bore. */
export const CHANGE_KEYS = 'COALESCE(change.user_keys, ARRAY[change.user_key])';

/** The workspaces of a change. */
export const CHANGE_WORKSPACES = 'COALESCE(change.workspace_ids, array_remove(ARRAY[change.workspace_id], NULL))';

/** For a query that has {@link JOIN_PERSONAL}, because the personal facts of a change stand beside the log. */
export const CHANGE_COLUMNS = `change.at, change.action, change.actor_kind, change.actor_id, change.granted_by,
  ${CHANGE_WORKSPACES} AS workspace_ids, change.request_id, change.traceparent, personal.reason,
  change.personal IS NOT NULL AND personal.position IS NULL AS erased,
  CASE WHEN personal.before IS NULL THEN change.before ELSE change.before || personal.before END AS before,
  CASE WHEN personal.after IS NULL THEN change.after ELSE change.after || personal.after END AS after`;

export const JOIN_PERSONAL =
  'LEFT JOIN journal_personal AS personal ON change.personal IS NOT NULL AND personal.position = change.position';

/**
 * The size of the user of an entry, of its id and of its names of fields, in JSON. `change.bytes` has the size of the
 * rest.
 */
export const ENTRY_BYTES = 2_048;

/** For callers that need the ids of active users, and none of the facts about them. */
export function inBrief({ before, after, ...entry }: JournalEntryDto): JournalEntryDto {
  const short = (facts: JournalEntryDto['before']) =>
    facts && Object.fromEntries(Object.entries(facts).filter(([name]) => ['status', 'type', 'id'].includes(name)));
  return { ...entry, workspaces: [], before: short(before), after: short(after) } as JournalEntryDto;
}

/**
 * The facts of a change as everybody is told them: of an address its origin alone, because what follows can be another
 * system's secret. Entries of earlier releases hold the whole.
 */
export function toldFacts({ before, after }: ChangeRow): Pick<ChangeRow, 'before' | 'after'> {
  const cut = (facts: ChangeRow['before']) =>
    facts && 'url' in facts ? { ...facts, url: originOf(String(facts.url)) } : facts;
  return { before: cut(before), after: cut(after) };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** The entry of one user of a change. */
export function toEntry(change: ChangeRow, id: number, user: string | null): JournalEntryDto {
  return {
    id: String(id),
    at: change.at.toISOString(),
    action: change.action,
    actor: { kind: change.actor_kind, id: change.actor_id },
    grantedBy: change.granted_by,
    user,
    workspaces: change.workspace_ids,
    ...toldFacts(change),
    reason: change.reason,
    requestId: change.request_id,
    ...(change.erased && { erased: true }),
  };
}
