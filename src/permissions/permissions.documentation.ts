import type { EndpointNotes } from '../openapi/endpoint.decorator';

export const PERMISSION_ID = {
  id: { description: 'The id of the permission, percent-encoded.', example: 'content.edit' },
};

export const LIST_PERMISSIONS: EndpointNotes = {
  summary: 'Find permissions',
  description: `For administrators. All filters that are given must hold. \`search\` looks in ids and descriptions.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_PERMISSION: EndpointNotes = {
  summary: 'Look at a permission',
  description: 'For administrators. `ETag` changes with what this answer tells.',
  parameters: PERMISSION_ID,
  refuses: ['permission.unknown', 'service.unavailable'],
};
