import type { EndpointNotes } from '../openapi/endpoint.decorator';
import { LIMITS } from '../contract/limits';
import { RecordEndpoints } from '../records/record-endpoints.decorators';

export const endpoint = new RecordEndpoints('user', 'ada');

export const READ_MEMBERSHIPS: EndpointNotes = {
  summary: 'See the workspaces and groups of a user',
  description:
    'For administrators and readers. Lists the workspaces of the user in order of id, each with the groups of ' +
    'the user in it. A workspace with too many groups for a page goes on on the next.',
  parameters: endpoint.parameters,
  refuses: ['query.invalid', 'user.unknown'],
};

export const EXPLAIN_PERMISSIONS: EndpointNotes = {
  summary: 'See what a user may do, and why',
  description: `For administrators and readers. Lists the permissions that the user holds, each with its sources: the
user, workspaces, groups. After
${LIMITS.sources} sources, \`more\` counts the others.
\`since\`, \`actor\` and \`reason\` describe the change that created the source. For a workspace or group, this is the
later of two changes: the user joined, or the permission was given. They are null if the journal does not contain that
change.`,
  parameters: endpoint.parameters,
  refuses: ['query.invalid', 'user.unknown'],
};

export const RENAME_USER: EndpointNotes = {
  summary: 'Give a user another id',
  description: `For administrators. Memberships, permissions, the status, idempotency keys and the history stay: the
journal tells what it has about a user under earlier ids as well. Access tokens with the old id are refused from now on,
and those with the new id are of this user. Status tokens for the user, and those that the user made, are void. The id
that the user has already changes nothing.`,
  parameters: endpoint.pathTo('dee'),
  refuses: [
    'request.malformed',
    'field.invalid',
    'user.unknown',
    'record.changed',
    'record.id_taken',
    'reason.invalid',
  ],
  refusalArgs: { 'field.invalid': { field: 'id' } },
  examples: {
    provider: {
      summary: 'The id of another identity provider',
      value: { id: 'auth0|5f7c', reason: 'Signs in with another identity provider' },
    },
  },
};

export const NEW_USERS: EndpointNotes['examples'] = {
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
};
