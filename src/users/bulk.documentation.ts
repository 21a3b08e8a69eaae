import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** The options of the operations on many users. */
const OPTIONS = `
\`dryRun=true\` returns what would change, and changes nothing. \`Prefer: return=representation\` returns what has
changed.
\`Prefer: handling=lenient\` skips unknown ids and lists them in the answer; a list without any known id is still
refused.`;

const LISTS: EndpointNotes['refuses'] = [
  'query.invalid',
  'user.required',
  'user.invalid',
  'workspace.required',
  'workspace.invalid',
  'group.invalid',
  'request.too_many_users',
  'request.too_many_workspaces',
  'request.too_many_groups',
  'request.too_many_memberships',
  'request.too_large_to_represent',
  'reason.invalid',
  'until.malformed',
  'until.invalid',
];

/** The documentation of the operations on many users. The examples work on the demo directory. */
export const ASSIGN_WORKSPACES: EndpointNotes = {
  summary: 'Assign users to workspaces and groups',
  description: `For administrators. Adds all users to all workspaces and groups, or changes nothing if a check fails.
Each user's type (guest, member, manager or administrator) becomes the highest type that the user's permissions grant. A
user holds permissions directly, or through a workspace or group.

The checks have a fixed order: the caller, then \`userIds\`, then \`workspaces\`, then \`groups\`, then \`reason\`. The
first failure is answered. Existing memberships stay.
${OPTIONS}`,
  answers: 'users.assigned',
  refuses: LISTS,
  examples: {
    groups: {
      summary: 'Three users, two workspaces, a group in each',
      value: {
        userIds: ['ben', 'cyd', 'dee'],
        workspaces: ['atlas', 'borealis'],
        groups: ['atlas-editors', 'borealis-managers'],
      },
    },
    workspace: {
      summary: 'One user, one workspace',
      value: { userIds: ['dee'], workspaces: ['cosmos'] },
    },
    unknownUser: {
      summary: 'Refused: an unknown user',
      value: { userIds: ['ben', 'nobody'], workspaces: ['atlas'] },
    },
  },
};

export const UNASSIGN_WORKSPACES: EndpointNotes = {
  summary: 'Unassign users from workspaces or groups',
  description: `For administrators. With \`groups\`, it removes the users from these groups only; without, from the
workspaces and all their groups. It updates the types of the users. The checks are those of workspace-assign. Users
without the membership are no error.

The body of an assignment does not take that assignment back: it also removes memberships that the users had before. To
take it back, undo its entry in the journal.

A change that would leave no active administrator is refused.
${OPTIONS}`,
  answers: 'users.unassigned',
  refuses: [...LISTS, 'directory.last_administrator'],
  examples: {
    workspaces: {
      summary: 'Three users out of two workspaces and all their groups',
      value: { userIds: ['ben', 'cyd', 'dee'], workspaces: ['atlas', 'borealis'] },
    },
    groups: {
      summary: 'One user out of a group, but not out of its workspace',
      value: { userIds: ['ben'], workspaces: ['atlas'], groups: ['atlas-managers'] },
    },
    unknownWorkspace: {
      summary: 'Refused: an unknown workspace',
      value: { userIds: ['ben'], workspaces: ['nowhere'] },
    },
  },
};

export const ASSIGN_STATUSES: EndpointNotes = {
  summary: 'Activate or deactivate users',
  description: `For administrators. Sets the status of all users, or changes nothing if a check fails. Deactivation
takes effect at once: the next request with any token of these users is answered 401.

A change that would leave no active administrator is refused.
${OPTIONS}`,
  answers: 'users.statuses_updated',
  refuses: [
    'query.invalid',
    'user.required',
    'user.invalid',
    'request.too_many_users',
    'status.invalid',
    'reason.invalid',
    'request.too_large_to_represent',
    'directory.last_administrator',
  ],
  examples: {
    suspend: {
      summary: 'Suspend three users',
      value: { userIds: ['ben', 'cyd', 'dee'], status: 'inactive', reason: 'The project has ended' },
    },
    activate: {
      summary: 'Activate them (again), and Eve',
      value: { userIds: ['ben', 'cyd', 'dee', 'eve'], status: 'active' },
    },
    unknownUser: {
      summary: 'Refused: an unknown user',
      value: { userIds: ['ben', 'nobody'], status: 'inactive' },
    },
  },
};
