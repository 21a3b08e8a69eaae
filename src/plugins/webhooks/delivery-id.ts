/** The identity of a delivery: its webhook and its journal entry. */
export interface DeliveryKey {
  subscriptionId: string;
  entryId: string;
}

const MAX_ENTRY = 2n ** 63n - 1n;

/**
 * The `webhook-id`. It is derived from the identity of the delivery, so it is unique and the same for every attempt. It
 * contains no full stop, because full stops separate the parts of the signed text.
 */
export function deliveryId({ subscriptionId, entryId }: DeliveryKey): string {
  return `msg_${subscriptionId}_${entryId}`;
}

/** The journal entry in the id of a delivery of this webhook; undefined if the text is not such an id. */
export function entryOfDelivery(id: string, subscriptionId: string): string | undefined {
  const entryId = /_([1-9]\d{0,18})$/.exec(id)?.[1];
  const isOurs =
    entryId !== undefined && BigInt(entryId) <= MAX_ENTRY && deliveryId({ subscriptionId, entryId }) === id;
  return isOurs ? entryId : undefined;
}
