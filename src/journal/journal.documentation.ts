import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** The documentation of the route of the journal. */
export const READ_JOURNAL: EndpointNotes = {
  summary: 'Read the journal',
  description: `For administrators and readers. Who changed what, when and why? Press **Execute** to see the latest
changes, newest first. To see those of one person, enter the id as \`user\`; those that somebody made are found by
\`actor\`. \`next\` leads to older ones, if you enter it as
\`cursor\`. Pages neither repeat nor skip an entry.

Each entry has the caller (\`actor\`), whoever granted the change (\`grantedBy\`), the user or place concerned, the
state before and after, the reason and the time. Every change that was answered before has its entries, which stay as
they are, also when the user is deleted.

**For programs that follow all changes:** start with \`after=start\` at the oldest entry, or with \`after=now\`, and
send the \`next\` of each answer as the \`after\` of the next request. No entry is skipped or repeated, however long its
transaction took. \`wait\` delays the answer until there is an entry. Every answer has a \`next\`, which does not
expire. If it is refused with 410, the entries after it were removed, or the database was restored or has lost entries:
load anew what you know, and start again.

A list in an entry has at most 1,000 ids. Longer changes of memberships or permissions are several entries; other lists
are cut, and \`more\` counts the rest. With several filters, a page ends after it has compared 10,000 changes: it can be
short or empty although there are more entries. Continue with its \`next\`. An answer has a \`Link\` as long as more can
be read at once.

Unknown actions are refused.`,
  refuses: ['query.invalid', 'journal.pruned', 'journal.other'],
};
