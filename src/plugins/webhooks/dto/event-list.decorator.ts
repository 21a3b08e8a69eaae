import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../../contract/webhooks';
import { Checked } from '../../../server/body-field.decorators';

const KNOWN = new Set<unknown>(WEBHOOK_EVENT_TYPES);

/** A non-empty list of events. */
export function EventList(): PropertyDecorator {
  const validate = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every((one) => KNOWN.has(one));
  return Checked('isEventList', validate, { code: 'webhook.events_invalid' });
}

/** Removes duplicates, and sorts in the order of the catalogue. */
export function distinct(events: readonly WebhookEventType[]): WebhookEventType[] {
  return WEBHOOK_EVENT_TYPES.filter((type) => events.includes(type));
}
