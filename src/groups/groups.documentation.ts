import type { EndpointNotes } from '../openapi/endpoint.decorator';

export const GROUP_ID = { id: { description: 'The id of the group, percent-encoded.', example: 'atlas-editors' } };

export const LIST_GROUPS: EndpointNotes = {
  summary: 'Find groups',
  description: `For administrators. All filters that are given must hold. \`search\` looks in ids and names.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_GROUP: EndpointNotes = {
  summary: 'Look at a group',
  description: 'For administrators. `ETag` changes with what this answer tells.',
  parameters: GROUP_ID,
  refuses: ['group.unknown', 'service.unavailable'],
};
