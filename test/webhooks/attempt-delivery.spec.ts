import { attemptDelivery } from '../../src/plugins/webhooks/attempt-delivery';
import type { ClaimedDelivery } from '../../src/plugins/webhooks/claim-deliveries';
import { DELIVERY_POLICY } from '../../src/plugins/webhooks/delivery-policy';
import { Destinations } from '../../src/plugins/webhooks/destinations';
import { makeSecret } from '../../src/plugins/webhooks/signature';
import { WebhookSender } from '../../src/plugins/webhooks/webhook-sender';

/** Of an entry whose time somebody has replaced by `infinity`, which `pg` reads as a number. */
const forged = {
  subscriptionId: 'hook',
  entryId: '1',
  lease: 'lease',
  attempts: 12,
  ageMs: 0,
  url: 'https://127.0.0.1/',
  secrets: [makeSecret()],
  event: { at: Infinity, user_id: 'ben', workspace_ids: [] },
} as unknown as ClaimedDelivery;

it('an event that cannot be built fails its delivery with a plain sentence, and not the process', async () => {
  const sender = new WebhookSender(new Destinations(false), DELIVERY_POLICY.timeoutMs);
  const { signal } = new AbortController();
  await expect(attemptDelivery(forged, sender, DELIVERY_POLICY, signal)).resolves.toEqual({
    kind: 'failed',
    error: 'the event cannot be built from its journal entry; check the journal with `user-admin journal verify`',
    delayMs: undefined,
  });
});
