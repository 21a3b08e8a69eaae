import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { ClaimedDelivery } from './claim-deliveries';
import { deliveryId } from './delivery-id';
import { type DeliveryPolicy, disablesWebhook, retryDelayMs } from './delivery-policy';
import type { AttemptResult } from './delivery-queue';
import { signatures } from './signature';
import { webhookEvent } from './webhook-event';
import type { WebhookRequest, WebhookSender } from './webhook-sender';

/**
 * Makes one attempt and returns its result; never throws. In Standard Webhooks 1.0, any answer but a success is a
 * failure.
 */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  sender: WebhookSender,
  policy: DeliveryPolicy,
  stop: AbortSignal,
): Promise<AttemptResult> {
  try {
    const request = signedRequest(delivery);
    const { status, retryAfterMs } = await inTrace(request, () => sender.post(request, stop));
    if (status >= 200 && status < 300) return { kind: 'delivered', status };
    if (disablesWebhook(status)) return { kind: 'gone', status };
    const delayMs = retryDelayMs({ ...delivery, retryAfterMs }, policy);
    return { kind: 'failed', status, error: `answered ${status}`, delayMs };
  } catch (error) {
    if (stop.aborted) return { kind: 'interrupted' };
    return { kind: 'failed', error: inWords(error), delayMs: retryDelayMs(delivery, policy) };
  }
}

/** If the process is traced, the span of the attempt continues the trace of the request that caused the event. */
function inTrace<T>({ headers }: WebhookRequest, attempt: () => T): T {
  return context.with(propagation.extract(ROOT_CONTEXT, headers), attempt);
}

function signedRequest(delivery: ClaimedDelivery): WebhookRequest {
  const id = deliveryId(delivery);
  const timestamp = Math.floor(Date.now() / 1000);
  const body = bodyOf(delivery);
  const { traceparent } = delivery.event;
  const headers = {
    'content-type': `${delivery.contentType}; charset=utf-8`,
    'user-agent': 'user-administration-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(delivery.secrets, { id, timestamp, body }),
    ...(traceparent !== null && { traceparent }),
  };
  return { url: delivery.url, headers, body };
}

/** An entry that somebody altered in the database can hold values that no event can. */
function bodyOf(delivery: ClaimedDelivery): string {
  try {
    return JSON.stringify(webhookEvent(delivery, delivery.event));
  } catch (cause) {
    throw new Error(
      'the event cannot be built from its journal entry; check the journal with `user-admin journal verify`',
      { cause },
    );
  }
}

/** If all addresses of a host fail, Node leaves the message empty; each inner error has one. */
function inWords(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error ? cause.message : String(cause);
}
