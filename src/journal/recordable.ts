import { createHash } from 'node:crypto';
import { isIdentifier } from '../contract/identifiers';
import type { Attribution } from '../contract/attribution';

const READABLE_LENGTH = 150;

/** The text as the database can hold it: NUL and lone surrogates give way to U+FFFD, so that no record fails for them. */
export function recordableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/**
 * The id as it stands in the journal. A user's stands as it is. A service's comes from its token and can be anything: what is
 * too long or cannot be stored is told by its beginning and a hash of the whole, so that two never look the same.
 */
export function recordableId(id: string): string {
  const fits: boolean = isIdentifier(id);
  if (fits) return id;
  const hash = createHash('sha256').update(id, 'utf16le').digest('hex');
  return `${recordableText(id.slice(0, READABLE_LENGTH))}…sha256:${hash}`;
}

/** An act as every function of the database that tells the journal takes it: actor's kind and id, granter, reason, request. */
export function recordableAttribution({ actor, grantedBy, reason, requestId }: Attribution): (string | null)[] {
  return [
    actor.kind,
    recordableId(actor.id),
    grantedBy === undefined ? null : recordableId(grantedBy),
    reason === undefined ? null : recordableText(reason),
    requestId ?? null,
  ];
}
