import { LIMITS } from '../contract/limits';
import type { EndpointNotes } from '../openapi/endpoint.decorator';
import { DEMO_DELIVERY, DEMO_WEBHOOK } from './demo-webhook';

const WEBHOOK_ID = {
  id: {
    description: 'The id of the webhook, as its creation and the list of webhooks tell it.',
    example: DEMO_WEBHOOK,
  },
};

const DELIVERY_ID = {
  ...WEBHOOK_ID,
  deliveryId: {
    description: 'The id of the delivery: the `webhook-id` that its receiver was sent.',
    example: DEMO_DELIVERY,
  },
};

/** The documentation of the routes of webhooks. */
export const CREATE_WEBHOOK: EndpointNotes = {
  summary: 'Register a webhook',
  description: `For administrators. From now on, each change that the webhook is to be told of is posted to its URL, after it was made:

- The body is an event in the JSON format of CloudEvents 1.0. Its \`data\` is what the journal tells of the change.
- It is signed as Standard Webhooks 1.0 says (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`), with the \`secret\` that
  this answer tells, once. Any library for Standard Webhooks verifies it.
- Any status from 200 to 299 within 15 seconds is a success. Anything else, a redirect too, is a failure: the event is sent
  again after 5 seconds, 30 seconds, 2 minutes, 10 minutes, 1 hour, 3 hours, 8 hours and then daily, less up to half of it by
  chance, or when \`Retry-After\` says, and given up after 12 tries. 410 (Gone) is not
  tried again, and disables the webhook until an administrator enables it.
- Each event arrives at least once. One that arrives again has the same \`webhook-id\`.
- Events about one user arrive in order: none before the one before it has arrived or was given up.

The URL must begin with https and lead to a public host. At most ${LIMITS.webhooks} webhooks can be registered.`,
  status: 201,
  refuses: ['webhook.url_invalid', 'webhook.events_invalid', 'webhook.too_many', 'service.unavailable'],
  examples: {
    users: {
      summary: 'Status and type of users',
      value: { url: 'https://hooks.example/users', events: ['user.status.changed', 'user.type.changed'] },
    },
    workspaces: {
      summary: 'Who joins and leaves workspaces',
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
  summary: 'List the webhooks',
  description: 'For administrators. All of them, without their secrets.',
  refuses: ['service.unavailable'],
};

export const GET_WEBHOOK: EndpointNotes = {
  summary: 'Look at a webhook',
  description: 'For administrators. Without its secret.',
  parameters: WEBHOOK_ID,
  refuses: ['webhook.unknown', 'service.unavailable'],
};

export const CHANGE_WEBHOOK: EndpointNotes = {
  summary: 'Change a webhook',
  description: `For administrators. What is left out stays as it is.

A disabled webhook is told nothing, neither now nor later, of what happens meanwhile. What was queued before stays, and is sent
at once when the webhook is enabled, or when its URL changes. A webhook whose address answers 410 (Gone) is disabled: the delivery
that was answered so has failed, and can be replayed once the webhook is enabled.`,
  parameters: WEBHOOK_ID,
  refuses: [
    'webhook.url_invalid',
    'webhook.events_invalid',
    'request.malformed',
    'webhook.unknown',
    'service.unavailable',
  ],
  examples: {
    disable: { summary: 'Disable', value: { enabled: false } },
    enable: { summary: 'Enable', value: { enabled: true } },
    move: { summary: 'Send to another address', value: { url: 'https://hooks.example/elsewhere' } },
  },
};

export const DELETE_WEBHOOK: EndpointNotes = {
  summary: 'Delete a webhook',
  description: 'For administrators. It is told nothing more, not even what happened before.',
  status: 204,
  parameters: WEBHOOK_ID,
  refuses: ['webhook.unknown', 'service.unavailable'],
};

export const ROTATE_SECRET: EndpointNotes = {
  summary: 'Give a webhook a new secret',
  description: `For administrators. For 24 hours, what is sent is signed with the old secret as well as with the new one: both
signatures stand in \`webhook-signature\`, with a space between them. When it is given yet another within that time, only the two
newest sign.`,
  parameters: WEBHOOK_ID,
  refuses: ['webhook.unknown', 'service.unavailable'],
};

export const LIST_DELIVERIES: EndpointNotes = {
  summary: 'List what a webhook was sent',
  description: `For administrators. Newest first, in pages. What is delivered or given up is kept for 30 days.`,
  parameters: WEBHOOK_ID,
  refuses: ['query.invalid', 'webhook.unknown', 'service.unavailable'],
};

export const GET_DELIVERY: EndpointNotes = {
  summary: 'Look at a delivery',
  description: 'For administrators. How it stands, what went wrong last, and what it delivers.',
  parameters: DELIVERY_ID,
  refuses: ['webhook.unknown', 'webhook_delivery.unknown', 'service.unavailable'],
};

export const REPLAY_DELIVERY: EndpointNotes = {
  summary: 'Send a delivery again',
  description: `For administrators. Sends one that is delivered or given up once more, with the same \`webhook-id\`, and tries as often as
the first time. One that is still pending is tried at once; one that waits for another, in its turn.`,
  parameters: DELIVERY_ID,
  refuses: ['webhook.unknown', 'webhook_delivery.unknown', 'service.unavailable'],
};
