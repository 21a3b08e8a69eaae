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
