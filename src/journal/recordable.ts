import { createHash } from 'node:crypto';
import { isIdentifier } from '../contract/identifiers';
import type { Attribution } from '../contract/attribution';

const READABLE_LENGTH = 150;

/** The text as the database can store it: NUL and lone surrogates become U+FFFD, so that they cannot make an entry fail. */
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

/** An attribution as the SQL functions that append to the journal take it: the actor's kind and id, granter, reason, request, trace. */
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
