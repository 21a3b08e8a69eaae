import { timingSafeEqual } from 'node:crypto';
import { isObject } from '../calls/read-answer.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { type DeliveryMemory, type Handling, ProcessMemory } from './delivery-memory.ts';
import type { WebhookEvent } from './webhook-event.ts';
import { readSecret, signatureOf, type SignedParts } from './webhook-secret.ts';

export interface WebhookReceiverOptions {
  /** The secret of the webhook. While one takes the place of another, both. */
  secrets: string | readonly string[];
  /** How far the time of a delivery may be from this machine's. Default: five minutes. */
  toleranceMs?: number;
  /** Where several processes receive. Default: the memory of this process. */
  memory?: DeliveryMemory;
}

/** Headers as `fetch` has them, or as Node has them. */
export type WebhookHeaders = Headers | NodeHeaders;
type NodeHeaders = Readonly<Record<string, string | string[] | undefined>>;

const DEFAULT_TOLERANCE_MS = 300_000;

/**
 * Receives what the service sends to a webhook, as Standard Webhooks 1.0 asks: by signature, by time, and each delivery once.
 *
 * @example
 * const receiver = new WebhookReceiver({ secrets: process.env.WEBHOOK_SECRET ?? '' });
 * const handling = await receiver.receive(rawBody, request.headers, (event) => console.log(event.type, event.subject));
 */
export class WebhookReceiver {
  private readonly keys: Buffer[];
  private readonly toleranceMs: number;
  private readonly memory: DeliveryMemory;

  /** @throws UserAdministrationError `client.option_invalid` */
  constructor({ secrets, toleranceMs = DEFAULT_TOLERANCE_MS, memory }: WebhookReceiverOptions) {
    this.keys = (typeof secrets === 'string' ? [secrets] : secrets).map((secret) => readSecret(secret));
    if (this.keys.length === 0) throw failure('client.option_invalid', 'At least one secret must be given.');
    this.toleranceMs = toleranceMs;
    // A delivery can be accepted from as long before its time as after it.
    this.memory = memory ?? new ProcessMemory(2 * toleranceMs);
  }

  /**
   * Verifies a delivery and handles it, unless it was handled before.
   *
   * @param body the bytes as they came: a body that was parsed and written again has another signature
   * @throws UserAdministrationError `client.webhook_refused`, or whatever `handle` throws
   */
  async receive(
    body: Uint8Array | string,
    headers: WebhookHeaders,
    handle: (event: WebhookEvent) => unknown,
  ): Promise<Handling> {
    return this.handleOnce(this.verify(body, headers), handle);
  }

  /** Handles an event that `verify` gave, unless it was handled before. */
  handleOnce(event: WebhookEvent, handle: (event: WebhookEvent) => unknown): Promise<Handling> {
    return this.memory.once(event.id, async () => {
      await handle(event);
    });
  }

  /**
   * Verifies signature and time. The same delivery may pass again within `toleranceMs`: `receive` is what tells.
   *
   * @throws UserAdministrationError `client.webhook_refused`
   */
  verify(body: Uint8Array | string, headers: WebhookHeaders): WebhookEvent {
    if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
      throw refused('the body is no text and no bytes: it must come as it was sent, before anything parses it');
    }
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    this.checkTime(timestamp);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.checkSignature(header(headers, 'webhook-signature'), { id, timestamp, body: bytes });
    return readEvent(bytes, id);
  }

  private checkTime(timestamp: string): void {
    if (!/^\d{1,12}$/.test(timestamp)) throw refused('webhook-timestamp is no number of seconds');
    const secondsAgo = Math.round(Date.now() / 1_000 - Number(timestamp));
    if (Math.abs(secondsAgo) * 1_000 <= this.toleranceMs) return;
    const apart = secondsAgo > 0 ? `${secondsAgo} s old` : `${-secondsAgo} s in the future`;
    throw refused(`it is ${apart} by the clock of this machine`);
  }

  private checkSignature(signatures: string, parts: SignedParts): void {
    const expected = this.keys.map((key) => signatureOf(key, parts));
    const given = signatures
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => Buffer.from(one.slice(3), 'base64'));
    const matches = given.some((one) => expected.some((it) => one.length === it.length && timingSafeEqual(one, it)));
    if (!matches) throw refused('no signature matches: another secret, or a body that was changed on the way');
  }
}

/** What was signed is an event of the service, unless the secret is used for something else as well. */
function readEvent(body: Uint8Array, id: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isObject(event) && event.id === id && typeof event.type === 'string' && isObject(event.data)) {
      return event as unknown as WebhookEvent;
    }
  } catch {
    // Told below, like any other body that is no event.
  }
  throw refused('the body is no event of this service');
}

function header(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as NodeHeaders)[name];
  if (typeof value === 'string' && value !== '') return value;
  throw refused(`the header ${name} is missing, or there twice`);
}

function refused(why: string): UserAdministrationError {
  return failure('client.webhook_refused', `The delivery is refused: ${why}.`);
}

function failure(code: string, detail: string): UserAdministrationError {
  return new UserAdministrationError({ code, detail });
}
