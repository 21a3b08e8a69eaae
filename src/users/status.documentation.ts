import type { EndpointNotes } from '../openapi/endpoint.decorator';

/** The documentation of the operations on one status. The examples work on the demo directory. */
export const MANAGE_STATUS: EndpointNotes = {
  summary: "Manage a user's status",
  description: `Activates or deactivates one user. The token in the header identifies the caller. The token in the body
grants the permission, and is one of two kinds:

- A status token for this user: it sets the status that it names. It works once. If it is sent again while the user
  still has that status, the answer is a success, and nothing changes.
- The access token of an administrator, your own or another's: it toggles the status.

Deactivation takes effect at once: the next request with any token of that user is answered 401.

In Swagger UI, leave the \`token\` of an example as it is. The page replaces it with the token that you authorized
with.`,
  answers: 'status.updated',
  refuses: ['status.last_administrator'],
  examples: {
    dee: {
      summary: 'Dee, who is active: deactivate (and activate again)',
      value: { id: 'dee', token: '<the access token of an administrator>' },
    },
    eve: {
      summary: 'Eve, who is inactive: activate (and deactivate again)',
      value: { id: 'eve', token: '<the access token of an administrator>' },
    },
    wrongToken: {
      summary: 'Refused: a token that grants nothing',
      value: { id: 'dee', token: 'not-a-token' },
    },
  },
};

export const MINT_STATUS_TOKEN: EndpointNotes = {
  summary: 'Create a status token',
  description: `For administrators. Creates a token whose holder can set one status of one user, once: in an approval
flow, at a help desk, or by an activation link. The holder sends it to manage-status, in the field \`token\`.`,
  refuses: ['user.invalid', 'status.invalid', 'status_token.lifetime_invalid', 'reason.invalid'],
  examples: {
    activate: {
      summary: 'Activate Eve, within an hour',
      value: { id: 'eve', status: 'active', expiresIn: 3600, reason: 'Back from parental leave' },
    },
    deactivate: {
      summary: 'Deactivate Dee, within 15 minutes',
      value: { id: 'dee', status: 'inactive' },
    },
  },
};
