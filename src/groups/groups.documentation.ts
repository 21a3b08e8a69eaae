import type { EndpointNotes } from '../openapi/endpoint.decorator';

const GROUP_ID = {
  id: { description: 'The id of the group. In the path, it is percent-encoded.', example: 'atlas-editors' },
};

export const LIST_GROUPS: EndpointNotes = {
  summary: 'Find groups',
  description: `For administrators. A group must match all filters. \`search\` looks in ids and names.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_GROUP: EndpointNotes = {
  summary: 'Read a group',
  description: 'For administrators. `ETag` is the version of this answer.',
  parameters: GROUP_ID,
  refuses: ['group.unknown', 'service.unavailable'],
};

export const CREATE_GROUP: EndpointNotes = {
  summary: 'Create a group',
  description: `For administrators. A group stays in its workspace. All its members hold its permissions.`,
  status: 201,
  refuses: ['request.malformed', 'field.read_only', 'field.invalid', 'record.id_taken', 'service.unavailable'],
  examples: {
    readers: {
      summary: 'With a permission',
      value: { id: 'cosmos-readers', name: 'Readers', workspace: 'cosmos', permissions: ['content.read'] },
    },
    nowhere: { summary: 'Refused: an unknown workspace', value: { name: 'Readers', workspace: 'nowhere' } },
  },
};

export const CHANGE_GROUP: EndpointNotes = {
  summary: 'Change a group',
  description: `For administrators. A JSON Merge Patch (RFC 7396): absent fields stay. The types of all members are updated.`,
  parameters: GROUP_ID,
  refuses: [
    'request.malformed',
    'field.read_only',
    'field.invalid',
    'group.unknown',
    'record.changed',
    'directory.last_administrator',
    'service.unavailable',
  ],
  examples: {
    name: { summary: 'New name', value: { name: 'Authors' } },
    permissions: { summary: 'No permissions', value: { permissions: [] } },
  },
};

export const DELETE_GROUP: EndpointNotes = {
  summary: 'Delete a group',
  description:
    'For administrators. Its members stay in the workspace, and lose the permissions of the group. The journal stays.',
  status: 204,
  parameters: { id: { ...GROUP_ID.id, example: 'borealis-editors' } },
  refuses: ['group.unknown', 'record.changed', 'directory.last_administrator', 'service.unavailable'],
};
