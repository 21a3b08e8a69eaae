import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** What a person is told of reading the journal. */
export const READ_JOURNAL: EndpointNotes = {
  summary: 'Read who did what',
  description: `For administrators. The journal tells every change that this service made: who made it, by whose leave, to whom, what
was before and after, why and when. An entry is written with the change that it tells, or not at all, and never altered.

Newest first, in pages. Entries that arrive while you read are newer than the pages that you have read, so none of the later
pages repeats an entry or leaves one out. Where the service reads from replicas, the newest entries may be missing for a few
moments. Ids that match nothing give an empty page; unknown actions are refused. Parameters that are not named here are ignored, but a
filter in brackets, such as \`user[]\`, is refused.`,
  refuses: ['query.invalid', 'service.unavailable'],
};
