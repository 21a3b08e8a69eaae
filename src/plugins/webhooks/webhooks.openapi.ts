import type { ParameterObject, PathItemObject, RequestBodyObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { ACTOR_KINDS, type JournalFacts } from '../../contract/journal';
import type { ActionCatalogue, DocumentPart } from '../../openapi/document-part';
import { headerParameter } from '../../openapi/header-parameter';
import type { WebhookEvent } from './webhook-types';

const nullableText: SchemaObject = { type: ['string', 'null'] };
const facts: SchemaObject = { type: ['object', 'null'], additionalProperties: true };

const WEBHOOK_EVENT_EXAMPLE: WebhookEvent = {
  specversion: '1.0',
  id: 'msg_01940000-0000-7000-8000-000000000000_42',
  source: '/user-administration',
  type: 'user.status.changed',
  subject: 'dee',
  time: '2030-01-01T12:00:00.000Z',
  datacontenttype: 'application/json',
  data: {
    entry: '42',
    user: 'dee',
    workspaces: [],
    before: { status: 'active' },
    after: { status: 'inactive' },
    actor: { kind: 'user', id: 'ada' },
    grantedBy: 'zoe',
    reason: 'Left the company',
    requestId: '01940000-0000-7000-8000-000000000000',
  },
};

/** The body that a webhook receives. Its type is in `webhook-types.ts`. */
const WEBHOOK_EVENT: SchemaObject = {
  type: 'object',
  description: 'The body of a webhook delivery: an event in the JSON format of CloudEvents 1.0.',
  example: WEBHOOK_EVENT_EXAMPLE,
  required: ['specversion', 'id', 'source', 'type', 'time', 'datacontenttype', 'data'],
  properties: {
    specversion: { type: 'string', enum: ['1.0'] },
    id: { type: 'string', description: 'The same as the header `webhook-id`, at every attempt.' },
    source: { type: 'string', enum: ['/user-administration'] },
    type: { $ref: '#/components/schemas/WebhookEventType' },
    subject: {
      type: 'string',
      description: 'The changed user, otherwise the workspace. Absent if there is none.',
    },
    time: { type: 'string', format: 'date-time', description: 'When the change was made, in UTC.' },
    traceparent: {
      type: 'string',
      description: 'The `traceparent` of the request, if it had a valid one (W3C Trace Context).',
    },
    datacontenttype: { type: 'string', enum: ['application/json'] },
    data: {
      type: 'object',
      description: 'The journal entry.',
      required: ['entry', 'user', 'workspaces', 'before', 'after', 'actor', 'grantedBy', 'reason', 'requestId'],
      properties: {
        entry: { type: 'string', description: 'The id of the journal entry.' },
        user: { ...nullableText, description: 'The changed user.' },
        workspaces: { type: 'array', items: { type: 'string' }, description: 'The workspaces of the change.' },
        before: { ...facts, description: 'The state before the change.' },
        after: { ...facts, description: 'The state after the change.' },
        actor: {
          type: 'object',
          description: 'The caller that made the change.',
          required: ['kind', 'id'],
          properties: { kind: { type: 'string', enum: [...ACTOR_KINDS] }, id: { type: 'string' } },
        },
        grantedBy: {
          ...nullableText,
          description: 'The administrator whose token granted it; null if that is the actor.',
        },
        reason: { ...nullableText, description: 'The given reason, if any.' },
        requestId: { ...nullableText, description: 'The `X-Request-Id` of the request that made the change.' },
      },
    },
  },
};

/** The headers of Standard Webhooks 1.0. */
const WEBHOOK_HEADERS: Record<string, ParameterObject> = {
  'webhook-id': headerParameter('webhook-id', 'The id of the event. A receiver uses it to ignore repetitions.'),
  'webhook-timestamp': headerParameter('webhook-timestamp', 'The time of this attempt, in seconds since 1970.'),
  'webhook-signature': headerParameter(
    'webhook-signature',
    '`v1,` and the signature with the secret of the webhook. Two, separated by a space, while two secrets are valid.',
  ),
};

const WEBHOOK_BODIES: Record<string, RequestBodyObject> = {
  'webhook.event': {
    description: 'Of the type `application/json` if the webhook says so.',
    required: true,
    content: { 'application/cloudevents+json': { schema: { $ref: '#/components/schemas/WebhookEvent' } } },
  },
};

/** The meaning of a receiver's answers. */
const WEBHOOK_RESPONSES: Record<string, ResponseObject> = {
  'webhook.received': { description: 'The event has arrived. After any other answer, the service retries.' },
  'webhook.gone': { description: 'The receiver wants no more events. The webhook is disabled.' },
};

type Facts = { [Type in keyof JournalFacts]: { before: JournalFacts[Type] | null; after: JournalFacts[Type] | null } };

const DEE: JournalFacts['user.created'] = {
  email: 'dee@example.com',
  displayName: 'Dee',
  status: 'active',
  permissions: [],
  workspaces: [],
  groups: [],
};
const CONTENT_READ: JournalFacts['permission.created'] = {
  permission: 'content.read',
  description: 'Read content',
  grants: 'member',
};

const EXAMPLES: Facts = {
  'user.workspaces.assigned': { before: null, after: { workspaces: ['atlas'], groups: ['atlas-editors'] } },
  'user.workspaces.unassigned': { before: { workspaces: ['atlas'], groups: ['atlas-editors'] }, after: null },
  'user.workspaces.extended': {
    before: { workspaces: { atlas: '2030-01-01T00:00:00.000Z' }, groups: {} },
    after: { workspaces: { atlas: null }, groups: {} },
  },
  'user.workspaces.shortened': {
    before: { workspaces: {}, groups: { 'atlas-editors': null } },
    after: { workspaces: {}, groups: { 'atlas-editors': '2030-01-01T00:00:00.000Z' } },
  },
  'user.type.changed': { before: { type: 'guest' }, after: { type: 'member' } },
  'user.status.changed': { before: { status: 'active' }, after: { status: 'inactive' } },
  'user.status_token.minted': { before: null, after: { status: 'active', expiresAt: '2030-01-01T12:15:00.000Z' } },
  'user.permissions.changed': { before: { permissions: [] }, after: { permissions: ['content.read'] } },
  'workspace.permissions.changed': {
    before: { permissions: ['content.read'] },
    after: { permissions: ['content.read', 'content.edit'] },
  },
  'group.permissions.changed': {
    before: { group: 'atlas-editors', permissions: [] },
    after: { group: 'atlas-editors', permissions: ['content.edit'] },
  },
  'user.created': { before: null, after: DEE },
  'user.updated': { before: { displayName: null }, after: { displayName: 'Dee' } },
  'user.deleted': { before: DEE, after: null },
  'user.renamed': { before: { id: 'dee' }, after: { id: 'auth0|5f7c' } },
  'user.erased': { before: null, after: null },
  'workspace.created': { before: null, after: { name: 'Atlas' } },
  'workspace.updated': { before: { name: 'Atlas' }, after: { name: 'Atlas One' } },
  'workspace.deleted': { before: { name: 'Atlas', permissions: ['content.read'] }, after: null },
  'group.created': { before: null, after: { group: 'atlas-editors', name: 'Editors' } },
  'group.updated': {
    before: { group: 'atlas-editors', name: 'Editors' },
    after: { group: 'atlas-editors', name: 'Authors' },
  },
  'group.deleted': {
    before: { group: 'atlas-editors', name: 'Editors', permissions: ['content.edit'] },
    after: null,
  },
  'permission.created': { before: null, after: CONTENT_READ },
  'permission.updated': {
    before: { permission: 'content.read', grants: 'guest' },
    after: { permission: 'content.read', grants: 'member' },
  },
  'permission.deleted': { before: CONTENT_READ, after: null },
};

type Example = Readonly<Record<'before' | 'after', object | null>>;

/** The events of an app, the schemas of their bodies, and the requests that carry them. */
export function describeWebhooks(actions: ActionCatalogue): DocumentPart {
  const events = Object.entries(actions).flatMap(([type, { summary, event }]) => {
    const example: Example | undefined = type in EXAMPLES ? EXAMPLES[type as keyof Facts] : event;
    return example ? [{ type, summary, example }] : [];
  });
  const description = 'An action of the journal for which a webhook can be registered.';
  return {
    tags: [{ name: 'Webhooks', description: 'Send changes to other systems.' }],
    components: {
      schemas: {
        WebhookEvent: WEBHOOK_EVENT,
        WebhookEventType: { type: 'string', enum: events.map(({ type }) => type), description },
      },
      parameters: WEBHOOK_HEADERS,
      requestBodies: WEBHOOK_BODIES,
      responses: WEBHOOK_RESPONSES,
    },
    webhooks: Object.fromEntries(
      events.map(({ type, summary, example }) => [type, { post: delivery(type, summary, example) }]),
    ),
  };
}

/** The schema contains one complete event. Others differ in their facts. */
function delivery(type: string, summary: string, { before, after }: Example): PathItemObject['post'] {
  return {
    operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    description: `Such as \`"before": ${JSON.stringify(before)}, "after": ${JSON.stringify(after)}\`.`,
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { $ref: '#/components/requestBodies/webhook.event' },
    responses: {
      '2XX': { $ref: '#/components/responses/webhook.received' },
      '410': { $ref: '#/components/responses/webhook.gone' },
    },
  };
}
