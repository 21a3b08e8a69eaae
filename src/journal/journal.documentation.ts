import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** The documentation of the route of the journal. */
export const READ_JOURNAL: EndpointNotes = {
  summary: 'Read the journal',
  description: `For administrators. The journal records every change: who made it, who granted it, the user concerned, the state before
and after, the reason and the time. It contains every change that was answered before the request. An entry is never altered. The
lists of an entry have at most 1,000 ids. Longer changes of memberships or permissions are several entries; other lists are cut, and \`more\`
counts the rest.

**Backwards**, the default: newest first, in pages. New entries appear only before the first page, so later pages neither repeat nor
skip an entry.

**Forwards**, with \`after\`: start with \`after=now\`, or with \`after=start\` at the oldest entry, and send the \`next\` of each answer as
the \`after\` of the next request. No entry is skipped or repeated, even if its transaction took long. \`wait\` delays the answer until there
is an entry. Every answer has a \`next\`, which does not expire.

With several filters, a page ends after it has compared 10,000 changes: it can be short or empty although there are more entries. Continue
with its \`next\`. An answer has a \`Link\` as long as more can be read at once.

If a \`next\` is refused with 410, the entries after it were removed, or the database was restored or has lost entries: load anew
what you know, and start again.

Unknown actions are refused.`,
  refuses: ['query.invalid', 'journal.pruned', 'journal.other'],
};
