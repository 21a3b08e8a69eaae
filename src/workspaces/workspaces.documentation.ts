import type { EndpointNotes } from '../openapi/endpoint.decorator';

const WORKSPACE_ID = {
  id: { description: 'The id of the workspace. In the path, it is percent-encoded.', example: 'atlas' },
};

export const LIST_WORKSPACES: EndpointNotes = {
  summary: 'Find workspaces',
  description: `For administrators. A workspace must match all filters. \`search\` looks in ids and names.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_WORKSPACE: EndpointNotes = {
  summary: 'Read a workspace',
  description: 'For administrators. `ETag` is the version of this answer.',
  parameters: WORKSPACE_ID,
  refuses: ['workspace.unknown', 'service.unavailable'],
};

export const CREATE_WORKSPACE: EndpointNotes = {
  summary: 'Create a workspace',
  description: `For administrators. All its members hold its permissions.`,
  status: 201,
  refuses: ['request.malformed', 'field.read_only', 'field.invalid', 'record.id_taken', 'service.unavailable'],
  examples: {
    delta: { summary: 'With a permission', value: { id: 'delta', name: 'Delta', permissions: ['content.read'] } },
    made: { summary: 'With a generated id', value: { name: 'Epsilon' } },
  },
};

export const CHANGE_WORKSPACE: EndpointNotes = {
  summary: 'Change a workspace',
  description: `For administrators. A JSON Merge Patch (RFC 7396): absent fields stay. The types of all members are updated.`,
  parameters: WORKSPACE_ID,
  refuses: [
    'request.malformed',
    'field.read_only',
    'field.invalid',
    'workspace.unknown',
    'record.changed',
    'directory.last_administrator',
    'service.unavailable',
  ],
  examples: {
    name: { summary: 'New name', value: { name: 'Atlas One' } },
    permissions: { summary: 'Exactly these permissions', value: { permissions: ['content.read', 'content.edit'] } },
  },
};

export const DELETE_WORKSPACE: EndpointNotes = {
  summary: 'Delete a workspace',
  description:
    'For administrators. Also deletes its groups and all memberships, and updates the types of its members. The journal stays.',
  status: 204,
  parameters: { id: { ...WORKSPACE_ID.id, example: 'cosmos' } },
  refuses: ['workspace.unknown', 'record.changed', 'directory.last_administrator', 'service.unavailable'],
};
