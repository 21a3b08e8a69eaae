import type { Webhook } from '@user-administration/client';
import { ACTIONS, KINDS } from '../history/kinds.ts';
import { service } from '../service.ts';
import type { SetupKind } from '../setups/setup-forms.tsx';
import type { Field, Values } from '../ui/fields.ts';
import { WebhookSecret } from './webhook-secret.tsx';

type Fields = Pick<Webhook, 'url' | 'events' | 'contentType'>;

/** What is done to webhooks and connections goes to no webhook. */
const EVENTS = ACTIONS.filter((action) => !/^(webhook|scim_connection)\./.test(action));
const FIELDS: readonly Field[] = [
  { name: 'url', label: 'webhook.url', kind: 'text', isRequired: true, isCode: true, hint: 'webhook.url_hint' },
  {
    name: 'events',
    label: 'webhook.events',
    kind: 'checks',
    all: 'webhook.all_events',
    options: Object.fromEntries(EVENTS.map((event) => [event, KINDS[event]])),
  },
  {
    name: 'contentType',
    label: 'webhook.content_type',
    kind: 'choice',
    options: {
      'application/cloudevents+json': 'application/cloudevents+json',
      'application/json': 'application/json',
    },
    hint: 'webhook.content_type_hint',
  },
];
const fieldsOf = (values: Values) => values as unknown as Fields;

export const WEBHOOK: SetupKind<Webhook> = {
  messages: 'webhook',
  newFields: FIELDS,
  initialOf: () => ({ url: '', events: EVENTS, contentType: 'application/cloudevents+json' }),
  changeableFields: FIELDS,
  nameOf: ({ url }) => url,
  get: (id, options) => service.webhooks.get(id, options),
  create: async (values, options) => (await service.webhooks.create(fieldsOf(values), options)).secret,
  update: (id, values, options) => service.webhooks.update(id, fieldsOf(values), options),
  delete: (id, options) => service.webhooks.delete(id, options),
  rotate: async ({ id, etag }, _, options) =>
    (await service.webhooks.rotateSecret(id, { ...options, ifMatch: etag })).secret,
  Secret: WebhookSecret,
};
