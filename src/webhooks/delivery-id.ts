/** What a delivery is identified by: there is one for each webhook and entry of the journal. */
export interface DeliveryKey {
  subscriptionId: string;
  entryId: string;
}

const MAX_ENTRY = 2n ** 63n - 1n;

/**
 * The `webhook-id`. Made of what the delivery is identified by, it is the same at every try, and no two are alike. It has no
 * full stop, because full stops part what is signed.
 */
export function deliveryId({ subscriptionId, entryId }: DeliveryKey): string {
  return `msg_${subscriptionId}_${entryId}`;
}

/** The entry in the id of a delivery, of whichever webhook; undefined for what can be no such id. */
export function entryIn(id: string): string | undefined {
  const entryId = /^msg_.+_([1-9]\d{0,18})$/.exec(id)?.[1];
  return entryId === undefined || BigInt(entryId) > MAX_ENTRY ? undefined : entryId;
}

/** The entry that a delivery of this webhook is about; undefined for what can be no id of such a delivery. */
export function entryOfDelivery(id: string, subscriptionId: string): string | undefined {
  const entryId = entryIn(id);
  return entryId !== undefined && deliveryId({ subscriptionId, entryId }) === id ? entryId : undefined;
}
