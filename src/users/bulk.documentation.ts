import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** Common texts of the operations on many users. */
const WISHES = `
With \`dryRun=true\` the answer says what would change, and nothing is changed. With \`Prefer: return=representation\` the answer says
what has changed. With \`Prefer: handling=lenient\` unknown ids are left out, and listed in the answer, unless nothing of a list is
known.`;

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
];

/** The documentation of the operations on many users. The examples work on the demo directory. */
export const ASSIGN_WORKSPACES: EndpointNotes = {
  summary: 'Assign users to workspaces and groups',
  description: `For administrators. Puts each of the users into each of the workspaces and each of the groups, all of them or none.
Then each user's type (guest, member, manager or administrator) becomes the highest that a permission grants which the user
holds directly, through a workspace or through a group.

The first check that fails answers: the caller, then \`userIds\`, then \`workspaces\`, then \`groups\`. Assigning again is a
success that changes nothing. Fields that are not named here are ignored.
${WISHES}`,
  answers: 'users.assigned',
  refuses: [...LISTS, 'service.unavailable'],
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
  description: `For administrators. The mirror of workspace-assign. With \`groups\`, the users leave these groups and no workspace; without,
they leave the workspaces and all groups of these. Then the users' types follow. Users who were not there are no error.

The checks and their order are those of workspace-assign. A change that would leave no active administrator is refused.
${WISHES}`,
  answers: 'users.unassigned',
  refuses: [...LISTS, 'directory.last_administrator', 'service.unavailable'],
  examples: {
    workspaces: {
      summary: 'Three users out of two workspaces and all groups of these',
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
  description: `For administrators. Gives each of the users this status, all of them or none: it sets, and never toggles. Deactivation takes
effect at once: the next request with any token of these users is answered 401.

A change that would leave no active administrator is refused.
${WISHES}`,
  answers: 'users.statuses_updated',
  refuses: [
    'query.invalid',
    'user.required',
    'user.invalid',
    'request.too_many_users',
    'status.invalid',
    'status_token.reason_invalid',
    'directory.last_administrator',
    'service.unavailable',
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
