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

export const CREATE_PERMISSION: EndpointNotes = {
  summary: 'Create a permission',
  description: `For administrators. Nobody holds it yet: give it to users, workspaces or groups.`,
  status: 201,
  refuses: ['request.malformed', 'field.read_only', 'field.invalid', 'record.id_taken', 'service.unavailable'],
  examples: {
    publish: {
      summary: 'It earns a manager',
      value: { id: 'content.publish', description: 'Publish content', grants: 'manager' },
    },
    access: { summary: 'It earns nothing', value: { id: 'lobby.enter', grants: 'guest' } },
  },
};

export const CHANGE_PERMISSION: EndpointNotes = {
  summary: 'Change a permission',
  description: `For administrators. A JSON Merge Patch (RFC 7396): what is left out stays, null clears the description. The types of all who hold it in any way follow.`,
  parameters: PERMISSION_ID,
  refuses: [
    'request.malformed',
    'field.read_only',
    'field.invalid',
    'permission.unknown',
    'record.changed',
    'directory.last_administrator',
    'service.unavailable',
  ],
  examples: {
    grants: { summary: 'It earns a manager from now on', value: { grants: 'manager' } },
    description: { summary: 'Another description', value: { description: 'Write and edit content' } },
  },
};

export const DELETE_PERMISSION: EndpointNotes = {
  summary: 'Delete a permission',
  description: 'For administrators. All who held it lose it, and their types follow. The journal stays.',
  status: 204,
  parameters: { id: { ...PERMISSION_ID.id, example: 'workspace.manage' } },
  refuses: ['permission.unknown', 'record.changed', 'directory.last_administrator', 'service.unavailable'],
};
