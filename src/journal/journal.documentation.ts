import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** The documentation of the route of the journal. */
export const READ_JOURNAL: EndpointNotes = {
  summary: 'Read the journal',
  description: `For administrators. The journal records every change: who made it, who granted it, the user concerned, the state before
and after, the reason and the time. Each entry is written in the transaction of its change and is never altered. The lists of an entry
have at most 1,000 ids. Longer changes of memberships or permissions are several entries; other lists are cut, and \`more\` counts the rest.

**Backwards**, the default: newest first, in pages. New entries appear only before the first page, so later pages neither repeat nor
skip an entry.

**Forwards**, with \`after\`: start with \`after=now\`, and send the \`next\` of each answer as the \`after\` of the next request.
No entry is skipped or repeated, even if its transaction took long. The entries of one user have the order of the changes.
\`wait\` delays the answer until there is an entry. Every answer has a \`next\`, which does not expire. With filters, an answer can be
empty although there are more entries: continue with its \`next\`. It has a \`Link\` as long as more can be read at once. If a \`next\` is refused, for example after the database was restored
from a backup, start again with \`after=now\`, and then read backwards to the last entry that you know.

Unknown actions are refused.`,
  refuses: ['query.invalid'],
};
