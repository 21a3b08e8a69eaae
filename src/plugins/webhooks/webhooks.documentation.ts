import type { EndpointNotes } from '../../openapi/endpoint.decorator';
import { DEMO_DELIVERY, DEMO_WEBHOOK } from './demo-webhook';
import { WEBHOOK_LIMITS } from './limits';

const MOST = WEBHOOK_LIMITS.webhooks;

const WEBHOOK_ID = {
  id: {
    description: 'The id of the webhook.',
    example: DEMO_WEBHOOK,
  },
};

const DELIVERY_ID = {
  ...WEBHOOK_ID,
  deliveryId: {
    description: 'The id of the delivery: its header `webhook-id`.',
    example: DEMO_DELIVERY,
  },
};

/** The documentation of the routes of webhooks. */
export const CREATE_WEBHOOK: EndpointNotes = {
  summary: 'Register a webhook',
  description: `For administrators. While the webhook is enabled, the service posts each change with one of these event
types to the URL, after its commit:

- The body is an event in the JSON format of CloudEvents 1.0. Its \`data\` is the journal entry of the change, and its
  \`traceparent\` that of the request.
- It is signed as Standard Webhooks 1.0 specifies (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`), with
  the \`secret\` that only this answer contains. Any library for Standard Webhooks verifies it.
- Any status from 200 to 299 within 15 seconds is a success. After any other answer, also a redirect, the service
  retries: after 5 seconds, 30 seconds, 2 minutes, 10 minutes, 1 hour, 3 hours, 8 hours and then daily, randomly
  shortened by up to half, or after
  \`Retry-After\`. It gives up after 12 attempts. After 410 (Gone) it does not retry, and disables the webhook until an
  administrator enables it.
- Each event arrives at least once. A repeated event has the same \`webhook-id\`.
- Events about one user arrive in order: each is sent after the previous one has arrived or was given up.

The URL must start with https and lead to a public host. At most ${MOST} webhooks can be registered.`,
  status: 201,
  refuses: ['webhook.url_invalid', 'webhook.events_invalid', 'field.invalid', 'webhook.too_many'],
  examples: {
    users: {
      summary: 'Status and type of users',
      value: { url: 'https://hooks.example/users', events: ['user.status.changed', 'user.type.changed'] },
    },
    workspaces: {
      summary: 'Users joining and leaving workspaces',
      value: {
        url: 'https://hooks.example/workspaces',
        events: ['user.workspaces.assigned', 'user.workspaces.unassigned'],
      },
    },
    loopback: {
      summary: 'Refused: an address that is not public',
      value: { url: 'https://127.0.0.1/hooks', events: ['user.status.changed'] },
    },
  },
};

export const LIST_WEBHOOKS: EndpointNotes = {
  summary: 'List all webhooks',
  description: 'For administrators. Without their secrets.',
};

export const GET_WEBHOOK: EndpointNotes = {
  summary: 'Read a webhook',
  description: 'For administrators. Without its secret. `ETag` is the version of this answer.',
  parameters: WEBHOOK_ID,
  refuses: ['webhook.unknown', 'record.changed'],
};

export const CHANGE_WEBHOOK: EndpointNotes = {
  summary: 'Change a webhook',
  description: `For administrators. Absent fields stay.

A disabled webhook never receives the changes that are made while it is disabled. Deliveries that were queued before
stay queued, and are sent when the webhook is enabled or its URL changes. If its URL answers 410 (Gone), the webhook is
disabled, and that delivery has failed. It can be replayed after the webhook is enabled.`,
  parameters: WEBHOOK_ID,
  refuses: [
    'request.malformed',
    'webhook.url_invalid',
    'webhook.events_invalid',
    'field.invalid',
    'webhook.unknown',
    'record.changed',
  ],
  examples: {
    disable: { summary: 'Disable', value: { enabled: false } },
    enable: { summary: 'Enable', value: { enabled: true } },
    move: { summary: 'Change the URL', value: { url: 'https://hooks.example/elsewhere' } },
  },
};

export const DELETE_WEBHOOK: EndpointNotes = {
  summary: 'Delete a webhook',
  description: 'For administrators. Its pending deliveries are not sent.',
  status: 204,
  parameters: WEBHOOK_ID,
  refuses: ['webhook.unknown', 'record.changed'],
};

export const ROTATE_SECRET: EndpointNotes = {
  summary: 'Rotate the secret of a webhook',
  description: `For administrators. For 24 hours, deliveries are signed with both the old and the new secret:
\`webhook-signature\` contains both signatures, separated by a space. After another rotation within that time, only the
two newest secrets are used.`,
  parameters: WEBHOOK_ID,
  refuses: ['webhook.unknown', 'record.changed'],
};

export const LIST_DELIVERIES: EndpointNotes = {
  summary: 'List the deliveries of a webhook',
  description: `For administrators. Newest first, in pages. Delivered and failed deliveries are kept for 30 days.`,
  parameters: WEBHOOK_ID,
  refuses: ['query.invalid', 'webhook.unknown'],
};

export const GET_DELIVERY: EndpointNotes = {
  summary: 'Read a delivery',
  description: 'For administrators. Returns its state, its last error and its body.',
  parameters: DELIVERY_ID,
  refuses: ['webhook.unknown', 'webhook_delivery.unknown'],
};

export const REPLAY_DELIVERY: EndpointNotes = {
  summary: 'Send a delivery again',
  description: `For administrators. Sends a delivered or failed delivery again, with the same \`webhook-id\` and a new
series of attempts. A pending delivery is sent at once. A waiting delivery is sent in its turn.`,
  parameters: DELIVERY_ID,
  refuses: ['webhook.unknown', 'webhook_delivery.unknown'],
};
