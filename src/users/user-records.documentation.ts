import type { EndpointNotes } from '../openapi/endpoint.decorator';

const USER_ID = { id: { description: 'The id of the user. In the path, it is percent-encoded.', example: 'ada' } };

export const READ_CALLER: EndpointNotes = {
  summary: 'See who you are',
  description: `For any caller. Returns the caller as the service sees them: a user of the directory with the user's record, or a service.`,
  refuses: ['auth.token_invalid', 'service.unavailable'],
};

export const LIST_USERS: EndpointNotes = {
  summary: 'Find users',
  description: `For administrators. A user must match all filters. \`search\` looks in ids, email addresses and display names.

Pages neither skip nor repeat a user who existed throughout. The \`Link\` header leads to the next page.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_USER: EndpointNotes = {
  summary: 'Read a user',
  description: `For administrators. Returns the user with the direct permissions. \`ETag\` is the version of this answer.`,
  parameters: USER_ID,
  refuses: ['user.unknown', 'service.unavailable'],
};

export const READ_MEMBERSHIPS: EndpointNotes = {
  summary: 'See the workspaces and groups of a user',
  description:
    'For administrators. Lists the workspaces of the user in order of id, each with the groups of the user in it.',
  parameters: USER_ID,
  refuses: ['query.invalid', 'user.unknown', 'service.unavailable'],
};

export const EXPLAIN_PERMISSIONS: EndpointNotes = {
  summary: 'See what a user may do, and why',
  description: `For administrators. Lists all permissions that the user holds, each with all its sources: the user, a workspace or a group.
\`since\`, \`actor\` and \`reason\` describe the change that created the source. For a workspace or group, this is the later of two
changes: the user joined, or the permission was given. They are null if the journal does not contain that change.`,
  parameters: USER_ID,
  refuses: ['user.unknown', 'service.unavailable'],
};

export const CREATE_USER: EndpointNotes = {
  summary: 'Create a user',
  description: `For administrators. The body can have permissions, workspaces and groups. It must list the workspace of each group. The type is
derived. Unknown fields are ignored.`,
  status: 201,
  refuses: [
    'request.malformed',
    'field.read_only',
    'field.invalid',
    'record.id_taken',
    'user.email_taken',
    'service.unavailable',
  ],
  examples: {
    editor: {
      summary: 'An editor',
      value: { email: 'flo@example.com', displayName: 'Flo', workspaces: ['atlas'], groups: ['atlas-editors'] },
    },
    inactive: {
      summary: 'With an id, inactive',
      value: { id: 'gus', status: 'inactive', permissions: ['content.read'] },
    },
    apart: {
      summary: 'Refused: a group without its workspace',
      value: { id: 'gus', groups: ['atlas-editors'] },
    },
  },
};

export const CHANGE_USER: EndpointNotes = {
  summary: 'Change a user',
  description: `For administrators. A JSON Merge Patch (RFC 7396): absent fields stay, null clears. Memberships and the status have operations of their own.`,
  parameters: USER_ID,
  refuses: [
    'request.malformed',
    'field.read_only',
    'field.invalid',
    'user.unknown',
    'record.changed',
    'user.email_taken',
    'directory.last_administrator',
    'service.unavailable',
  ],
  examples: {
    name: { summary: 'New name', value: { displayName: 'Ada Lovelace' } },
    permissions: { summary: 'Exactly these permissions', value: { permissions: ['content.read', 'users.administer'] } },
    email: { summary: 'No email address', value: { email: null } },
  },
};

export const DELETE_USER: EndpointNotes = {
  summary: 'Delete a user',
  description:
    'For administrators. Also deletes the memberships and permissions of the user. From now on, every token of the user is refused. The journal stays.',
  status: 204,
  parameters: { id: { ...USER_ID.id, example: 'dee' } },
  refuses: ['user.unknown', 'record.changed', 'directory.last_administrator', 'service.unavailable'],
};
