import type { EndpointNotes } from '../openapi/endpoint.decorator';

export const USER_ID = { id: { description: 'The id of the user, percent-encoded.', example: 'ada' } };

export const READ_CALLER: EndpointNotes = {
  summary: 'See who you are',
  description: `For any caller. Tells whom the service takes the bearer of the token for: a user of the directory, with the record of that
user, or another service.`,
  refuses: ['auth.token_invalid', 'service.unavailable'],
};

export const LIST_USERS: EndpointNotes = {
  summary: 'Find users',
  description: `For administrators. All filters that are given must hold. \`search\` looks in ids, email addresses and display names.

A page neither skips nor repeats a user who was there all the time. The \`Link\` header leads to the next page.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_USER: EndpointNotes = {
  summary: 'Look at a user',
  description: `For administrators. The record of the user, with the permissions that were given directly. \`ETag\` changes with what this
answer tells.`,
  parameters: USER_ID,
  refuses: ['user.unknown', 'service.unavailable'],
};

export const READ_MEMBERSHIPS: EndpointNotes = {
  summary: 'See the workspaces and groups of a user',
  description:
    'For administrators. The workspaces that the user is in, by id, each with the groups in it that the user is in.',
  parameters: USER_ID,
  refuses: ['query.invalid', 'user.unknown', 'service.unavailable'],
};

export const EXPLAIN_PERMISSIONS: EndpointNotes = {
  summary: 'See what a user may do, and why',
  description: `For administrators. Every permission that the user effectively holds, with every way in which it is held: given to the user, to a
workspace or to a group. \`since\`, \`actor\` and \`reason\` tell how that came to be: the permission was given to the user; or the user
joined, or the place was permitted, whichever was later. They are null where the journal does not know.`,
  parameters: USER_ID,
  refuses: ['user.unknown', 'service.unavailable'],
};

export const CREATE_USER: EndpointNotes = {
  summary: 'Create a user',
  description: `For administrators. The user can come with permissions, and with workspaces and groups; the workspace of each group must be
listed, too. The type follows. Fields that are not named here are ignored.`,
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
      summary: 'With an id, still inactive',
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
  description: `For administrators. A JSON Merge Patch (RFC 7396): what is left out stays, null clears. Places change by assignment, and the status by its own operations.`,
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
    name: { summary: 'Another name', value: { displayName: 'Ada Lovelace' } },
    permissions: { summary: 'Exactly these permissions', value: { permissions: ['content.read', 'users.administer'] } },
    email: { summary: 'No email address', value: { email: null } },
  },
};

export const DELETE_USER: EndpointNotes = {
  summary: 'Delete a user',
  description:
    'For administrators. Memberships and permissions go with the user. The journal stays, and every token of the user is refused from now on.',
  status: 204,
  parameters: { id: { ...USER_ID.id, example: 'dee' } },
  refuses: ['user.unknown', 'record.changed', 'directory.last_administrator', 'service.unavailable'],
};
