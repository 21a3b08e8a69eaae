import { setTimeout as delay } from 'node:timers/promises';
import { DestinationRefusedError, type Destinations } from './destinations';
import { WEBHOOK_ERRORS } from './errors';

const PATIENCE_MS = 2_000;

/**
 * Validates the URL of a webhook. A host with a private address is refused at once. A host without any address is
 * accepted, because it may get one; each attempt checks it again.
 *
 * @throws ServiceError `webhook.url_invalid`
 */
export async function registrableUrl(destinations: Destinations, text: string): Promise<string> {
  try {
    const url = destinations.read(text);
    const addresses = destinations.addresses(url).catch((error: unknown) => {
      if (error instanceof DestinationRefusedError) throw error;
    });
    await Promise.race([addresses, delay(PATIENCE_MS, undefined, { ref: false })]);
    return url.href;
  } catch (error) {
    if (!(error instanceof DestinationRefusedError)) throw error;
    throw WEBHOOK_ERRORS.refusal('webhook.url_invalid', { errors: [{ pointer: '/url' }] }, { cause: error });
  }
}
