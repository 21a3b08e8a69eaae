import type { EndpointNotes } from '../openapi/endpoint.decorator';

const PERMISSION_ID = {
  id: { description: 'The id of the permission. In the path, it is percent-encoded.', example: 'content.edit' },
};

export const LIST_PERMISSIONS: EndpointNotes = {
  summary: 'Find permissions',
  description: `For administrators. A permission must match all filters. \`search\` looks in ids and descriptions.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_PERMISSION: EndpointNotes = {
  summary: 'Read a permission',
  description: 'For administrators. `ETag` is the version of this answer.',
  parameters: PERMISSION_ID,
  refuses: ['permission.unknown', 'service.unavailable'],
};

export const CREATE_PERMISSION: EndpointNotes = {
  summary: 'Create a permission',
  description: `For administrators. To give it to users, workspaces or groups, change their \`permissions\`.`,
  status: 201,
  refuses: ['request.malformed', 'field.read_only', 'field.invalid', 'record.id_taken', 'service.unavailable'],
  examples: {
    publish: {
      summary: 'Grants the type manager',
      value: { id: 'content.publish', description: 'Publish content', grants: 'manager' },
    },
    access: { summary: 'Grants no higher type', value: { id: 'lobby.enter', grants: 'guest' } },
  },
};

export const CHANGE_PERMISSION: EndpointNotes = {
  summary: 'Change a permission',
  description: `For administrators. A JSON Merge Patch (RFC 7396): absent fields stay, null clears the description. The types of all its holders are updated.`,
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
    grants: { summary: 'Grant the type manager', value: { grants: 'manager' } },
    description: { summary: 'New description', value: { description: 'Write and edit content' } },
  },
};

export const DELETE_PERMISSION: EndpointNotes = {
  summary: 'Delete a permission',
  description: 'For administrators. All its holders lose it, and their types are updated. The journal stays.',
  status: 204,
  parameters: { id: { ...PERMISSION_ID.id, example: 'workspace.manage' } },
  refuses: ['permission.unknown', 'record.changed', 'directory.last_administrator', 'service.unavailable'],
};
