import { declaredEvents } from '../../../contract/plugin-actions';
import { Checked } from '../../../server/body-field.decorators';
import { WEBHOOK_ERRORS } from '../errors';

/** A non-empty list of events. */
export function EventList(): PropertyDecorator {
  const validate = (value: unknown) => {
    const known = new Set<unknown>(declaredEvents());
    return Array.isArray(value) && value.length > 0 && value.every((one) => known.has(one));
  };
  return Checked('isEventList', validate, { code: 'webhook.events_invalid', of: WEBHOOK_ERRORS });
}

/** Removes duplicates, and sorts in the order of the catalogue. */
export function distinct(events: readonly string[]): string[] {
  return declaredEvents().filter((type) => events.includes(type));
}
