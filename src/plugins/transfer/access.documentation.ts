import type { EndpointNotes } from '../../openapi/endpoint.decorator';

export const READ_ACCESS: EndpointNotes = {
  summary: 'Who has what, as a file',
  description: `For administrators and readers. One line for each user and each source of access: a permission given
directly, a workspace or a group. A user without any has one, whose \`source\` is null.

\`Accept\` chooses NDJSON or CSV. NDJSON that is whole ends with \`{"end":{"lines","at"}}\`. The filters choose users,
of whom every line is told, also of inactive ones.`,
  refuses: ['query.invalid', 'answer.not_acceptable'],
  refusalArgs: { 'query.invalid': { name: 'type' } },
};
