import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** The documentation of the route of the journal. */
export const READ_JOURNAL: EndpointNotes = {
  summary: 'Read who did what',
  description: `For administrators. The journal tells every change that this service made: who made it, who granted it, to whom,
what was before and after, why and when. An entry is written in the transaction of its change and never altered.

**Backwards**, the default: newest first, in pages. Entries that arrive while you read are newer than the pages that you have read, so
no later page repeats an entry or leaves one out. Where the service reads from replicas, the newest entries may be missing for a few
moments.

**Forwards**, with \`after\`: begin with \`after=now\`, and send the \`next\` of each answer as the \`after\` of the next request.
No entry is left out or told twice, however long its transaction took. The entries of one user come in the order of the changes.
\`wait\` holds the answer until there is an entry. Every answer has a \`next\`. With filters, an answer can be empty although there is
more: send its \`next\`. You can keep a \`next\` for any time. When it is refused, for instance because the database was restored from a
backup, read backwards to the last entry that you know, and begin with \`after=now\` again.

Ids that match nothing give an empty page; unknown actions are refused. Parameters that are not named here are ignored, but a
filter in brackets, such as \`user[]\`, is refused.`,
  refuses: ['query.invalid', 'service.unavailable'],
};
