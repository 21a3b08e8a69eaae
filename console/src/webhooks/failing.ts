import type { Delivery } from '@user-administration/client';
import type { MessageKey } from '../language/language.ts';
import { service } from '../service.ts';

/** What each state is called. */
export const STATES = {
  failed: 'delivery.failed',
  pending: 'delivery.pending',
  waiting: 'delivery.waiting',
  delivered: 'delivery.delivered',
} as const satisfies Record<Delivery['state'], MessageKey>;

const AT_MOST = 50;

/** How many of the newest deliveries fail; `orMore`: there are others that were not counted. */
export interface Failing {
  count: number;
  orMore: boolean;
}

/** Given up, or to be tried again after a failure. */
export const isFailing = ({ state, lastError }: Delivery): boolean =>
  state === 'failed' || (state !== 'delivered' && lastError !== null);

export async function findFailing(id: string, signal: AbortSignal): Promise<Failing> {
  const failing = { count: 0, orMore: false };
  for (const state of ['failed', 'pending'] as const) {
    const { value } = await service.webhooks.deliveries(id, { state, limit: AT_MOST }, { signal }).pages().next();
    failing.count += value?.items.filter(isFailing).length ?? 0;
    failing.orMore ||= typeof value?.next === 'string';
  }
  return failing;
}
