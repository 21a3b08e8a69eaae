import type { Delivery } from '@user-administration/client';
import { service } from '../service.ts';

const LOOK_MS = 700;
/** A receiver has fifteen seconds to answer, and others may have their turn before. */
const LOOKS = 40;

/** Sends a delivery again, and reports each of its states until the attempt has ended. @returns the last one */
export async function replayed(
  webhook: string,
  before: Delivery,
  {
    learn,
    signal,
    idempotencyKey,
  }: { learn: (delivery: Delivery) => void; signal: AbortSignal; idempotencyKey?: string },
): Promise<Delivery> {
  let now: Delivery = await service.webhooks.replay(webhook, before.id, { idempotencyKey, signal });
  learn(now);
  for (let look = 0; look < LOOKS && !hasEnded(now, before); look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    now = await service.webhooks.delivery(webhook, before.id, { signal });
    learn(now);
  }
  return now;
}

/** There was an attempt since, or an earlier delivery about the same person comes first. */
function hasEnded(now: Delivery, before: Delivery): boolean {
  if (now.state !== 'pending') return true;
  return now.nextAttemptAt !== null && now.lastAttemptAt !== before.lastAttemptAt;
}
