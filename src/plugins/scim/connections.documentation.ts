import type { EndpointNotes } from '../../openapi/endpoint.decorator';
import { DEMO_CONNECTION } from './demo-connection';

const CONNECTION_ID = { id: { description: 'The id of the connection.', example: DEMO_CONNECTION } };

/** The documentation of the routes of connections. */
export const CREATE_CONNECTION: EndpointNotes = {
  summary: 'Connect an identity provider',
  description: `For administrators. The identity provider keeps users and groups by SCIM 2.0 (RFC 7643, RFC 7644) under
\`/scim/v2\`, with the bearer
\`token\` that only this answer contains.

- It sees the users whom it created or took over: a user of no connection who has the id or the email address is taken
  over and not doubled.
- New groups are made in \`workspace\`. The groups of \`workspaces\` are seen and filled as well.
- Without \`mayGrantAdministrator\`, it can deactivate administrators, and nothing else concerning them.`,
  status: 201,
  refuses: ['request.malformed', 'field.invalid'],
  examples: {
    okta: { summary: 'Okta', value: { name: 'Okta', workspace: 'atlas' } },
    entra: {
      summary: 'Entra ID, with two workspaces',
      value: { name: 'Entra ID', workspace: 'atlas', workspaces: ['borealis'] },
    },
  },
};

export const LIST_CONNECTIONS: EndpointNotes = {
  summary: 'List the connections',
  description: 'For administrators. Oldest first, in pages, without their tokens.',
  refuses: ['query.invalid'],
};

export const GET_CONNECTION: EndpointNotes = {
  summary: 'Read a connection',
  description:
    'For administrators. Without its token. `ETag` is the version of this answer, whatever `lastUsedAt` says.',
  parameters: CONNECTION_ID,
  refuses: ['scim_connection.unknown', 'record.changed'],
};

export const CHANGE_CONNECTION: EndpointNotes = {
  summary: 'Change a connection',
  description:
    'For administrators. A JSON Merge Patch (RFC 7396): absent fields stay, and null clears. `idFrom` cannot be ' +
    'changed.',
  parameters: CONNECTION_ID,
  refuses: ['request.malformed', 'field.read_only', 'field.invalid', 'scim_connection.unknown', 'record.changed'],
  refusalArgs: { 'field.read_only': { field: 'idFrom' } },
  examples: {
    administrators: { summary: 'Let it keep administrators', value: { mayGrantAdministrator: true } },
    workspaces: { summary: 'No further workspaces', value: { workspaces: [] } },
  },
};

export const DELETE_CONNECTION: EndpointNotes = {
  summary: 'Delete a connection',
  description: 'For administrators. Its tokens are refused from now on. Users, groups and memberships stay.',
  status: 204,
  parameters: CONNECTION_ID,
  refuses: ['scim_connection.unknown', 'record.changed'],
};

export const ROTATE_TOKEN: EndpointNotes = {
  summary: 'Make a new token for a connection',
  description:
    'For administrators. The token before works for `overlap` seconds more, a day by default, and older ones no ' +
    'longer.',
  parameters: CONNECTION_ID,
  refuses: ['field.invalid', 'scim_connection.unknown', 'record.changed'],
  examples: {
    soon: { summary: 'The old one works for an hour', value: { overlap: 3_600 } },
    leaked: { summary: 'The old one has leaked', value: { overlap: 0 } },
  },
};
