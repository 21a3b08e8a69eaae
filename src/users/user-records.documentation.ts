import type { EndpointNotes } from '../openapi/endpoint.decorator';
import { LIMITS } from '../contract/limits';
import { RecordNotes } from '../records/record-notes';

const notes = new RecordNotes('user', 'ada');

export const READ_CALLER: EndpointNotes = {
  summary: 'See who you are',
  description: `For any caller. Returns the caller as the service sees them: a user of the directory with the user's record, or a service.`,
  refuses: ['auth.token_invalid'],
};

export const LIST_USERS = notes.list(`\`search\` looks in ids, email addresses and display names.

Pages neither skip nor repeat a user who existed throughout. The \`Link\` header leads to the next page.`);

export const READ_USER = notes.read('Returns the user with the direct permissions. ');

export const READ_MEMBERSHIPS: EndpointNotes = {
  summary: 'See the workspaces and groups of a user',
  description:
    'For administrators. Lists the workspaces of the user in order of id, each with the groups of the user in it. A workspace with too many groups for a page goes on on the next.',
  parameters: notes.parameters,
  refuses: ['query.invalid', 'user.unknown'],
};

export const EXPLAIN_PERMISSIONS: EndpointNotes = {
  summary: 'See what a user may do, and why',
  description: `For administrators. Lists the permissions that the user holds, each with its sources: the user, workspaces, groups. After
${LIMITS.sources} sources, \`more\` counts the others.
\`since\`, \`actor\` and \`reason\` describe the change that created the source. For a workspace or group, this is the later of two
changes: the user joined, or the permission was given. They are null if the journal does not contain that change.`,
  parameters: notes.parameters,
  refuses: ['query.invalid', 'user.unknown'],
};

export const CREATE_USER = notes.create(
  `The body can have permissions, workspaces and groups. It must list the workspace of each group. The type is
derived. Unknown fields are ignored.`,
  {
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
);

export const CHANGE_USER = notes.change(
  'absent fields stay, null clears. Memberships and the status have operations of their own.',
  {
    name: { summary: 'New name', value: { displayName: 'Ada Lovelace' } },
    permissions: { summary: 'Exactly these permissions', value: { permissions: ['content.read', 'users.administer'] } },
    email: { summary: 'No email address', value: { email: null } },
  },
);

export const DELETE_USER = notes.delete(
  'Also deletes the memberships and permissions of the user. From now on, every token of the user is refused.',
  'dee',
);
