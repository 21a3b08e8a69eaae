import { createHash } from 'node:crypto';
import { isIdentifier } from '../contract/identifiers';
import type { Attribution } from '../contract/attribution';
import { prepared, type Queryable } from '@user-administration/postgres';

const READABLE_LENGTH = 150;

/**
 * The text as the database can store it: NUL and lone surrogates become U+FFFD, so that they cannot make an entry fail.
 */
function recordableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * The id as the journal stores it. User ids are unchanged. The id of a service comes from its token and can be any
 * text: one that is too long or cannot be stored becomes its beginning and a hash of the whole, so that two ids never
 * look the same.
 */
export function recordableId(id: string): string {
  const fits: boolean = isIdentifier(id);
  if (fits) return id;
  const hash = createHash('sha256').update(id, 'utf16le').digest('hex');
  return `${recordableText(id.slice(0, READABLE_LENGTH))}…sha256:${hash}`;
}

/**
 * An attribution as the SQL functions that append to the journal take it: the actor's kind and id, granter, reason,
 * request, trace.
 */
export function recordableAttribution({
  actor,
  grantedBy,
  reason,
  requestId,
  traceparent,
}: Attribution): (string | null)[] {
  return [
    actor.kind,
    recordableId(actor.id),
    grantedBy === undefined ? null : recordableId(grantedBy),
    reason === undefined ? null : recordableText(reason),
    requestId ?? null,
    traceparent ?? null,
  ];
}

/**
 * The last parameters of an SQL function that appends to the journal, in the order of {@link recordableAttribution}.
 */
const ATTRIBUTION = ['actor_kind', 'actor_id', 'granted_by', 'reason', 'request_id', 'traceparent'];

/**
 * Declares the call of an SQL function that makes a change and appends it to the journal: the SQL parameter of each
 * argument, and the columns of its only row. It is sent within a transaction, or alone.
 *
 * @example
 * const assignStatuses = recordingFunction<{ users: string[] }, { changed: number }>('assign_statuses', { users:
 * 'user_ids' }, 'changed'); const { changed } = await assignStatuses(manager, judged, { users: ['ben'] });
 */
export function recordingFunction<Arguments extends object, Row>(
  name: string,
  parameters: { readonly [Argument in keyof Arguments]: string },
  columns: string,
): (sender: Queryable, attribution: Attribution, given: Arguments) => Promise<Row> {
  const names = [...Object.values<string>(parameters), ...ATTRIBUTION];
  const list = names.map((parameter, index) => `${parameter} => $${index + 1}`).join(', ');
  const statement = prepared(name, `SELECT ${columns} FROM ${name}(${list}) AS outcome`);
  return async (sender, attribution, given) => {
    const values: unknown[] = [];
    for (const argument in parameters) values.push(given[argument]);
    const [row] = await sender.query<[Row]>(statement, [...values, ...recordableAttribution(attribution)]);
    return row;
  };
}
