import { randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookEventType } from './webhook-event.ts';
import { readSecret, signatureOf } from './webhook-secret.ts';

/** The fields of an event for a test. `signWebhook` fills in all others. */
export interface TestEvent<Type extends WebhookEventType> {
  type: Type;
  /** The id of the changed user. Default: null. */
  user?: string | null;
  /** The ids of the workspaces of the change. Default: none. */
  workspaces?: string[];
  /** The state before the change. Default: null. */
  before?: WebhookEvent<Type>['data']['before'] | null;
  /** The state after the change. Default: null. */
  after?: WebhookEvent<Type>['data']['after'] | null;
  /** Default: null. */
  reason?: string | null;
  /** The id of the delivery. A second delivery with the same id is a retry. Default: a new id. */
  id?: string;
  /** The time stamp of the delivery. Default: now. */
  sentAt?: Date;
}

/** A delivery in the form that `fetch` takes. */
export interface SignedWebhook {
  method: 'POST';
  headers: Record<string, string>;
  body: string;
}

/**
 * Creates a webhook delivery for a test, signed like those of the service (Standard Webhooks 1.0).
 *
 * @param secret the secret of the webhook, such as `whsec_K2pg...`
 * @throws UserAdministrationError `client.option_invalid` for a malformed secret
 * @example
 * const delivery = signWebhook(secret, { type: 'user.status.changed', user: 'ben', after: { status: 'inactive' } });
 * await fetch('http://127.0.0.1:3000/hooks/users', delivery);
 */
export function signWebhook<Type extends WebhookEventType>(secret: string, event: TestEvent<Type>): SignedWebhook {
  const { id = `msg_${randomUUID()}`, sentAt = new Date() } = event;
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const body = JSON.stringify(whole(event, id, sentAt));
  const signature = signatureOf(readSecret(secret), { id, timestamp, body: Buffer.from(body) });
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature.toString('base64')}`,
    },
    body,
  };
}

function whole<Type extends WebhookEventType>(event: TestEvent<Type>, id: string, sentAt: Date): object {
  const { type, user = null, workspaces = [], before = null, after = null, reason = null } = event;
  const subject = user ?? workspaces[0];
  return {
    specversion: '1.0',
    id,
    source: '/user-administration',
    type,
    ...(subject !== undefined && { subject }),
    time: sentAt.toISOString(),
    datacontenttype: 'application/json',
    data: {
      entry: '1',
      user,
      workspaces,
      before,
      after,
      actor: { kind: 'user', id: 'ada' },
      grantedBy: null,
      reason,
      requestId: null,
    },
  };
}
