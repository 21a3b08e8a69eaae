import { PluginErrors } from '../plugin';
import { WEBHOOK_LIMITS } from './limits';

/** The refusals of webhooks. */
export const WEBHOOK_ERRORS = new PluginErrors({
  'webhook.url_invalid': {
    status: 400,
    when: '`url` is not an https URL, contains a user name or password, or its host is not public.',
  },
  'webhook.events_invalid': {
    status: 400,
    when: '`events` is not an array, is empty, or has an element that is not an event.',
  },
  'webhook.unknown': { status: 404, when: 'There is no webhook with this id.' },
  'webhook.too_many': {
    status: 409,
    when: 'The largest number of webhooks is already registered.',
    args: { max: WEBHOOK_LIMITS.webhooks },
  },
  'webhook_delivery.unknown': { status: 404, when: 'This webhook has no delivery with this id.' },
});
