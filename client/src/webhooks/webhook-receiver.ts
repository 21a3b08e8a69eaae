import { timingSafeEqual } from 'node:crypto';
import { isObject } from '../calls/read-answer.ts';
import { readMs } from '../calls/settings.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { type DeliveryMemory, type Handling, ProcessMemory } from './delivery-memory.ts';
import type { WebhookEvent } from './webhook-event.ts';
import { readSecret, signatureOf, type SignedParts } from './webhook-secret.ts';

/** The options of a `WebhookReceiver`. */
export interface WebhookReceiverOptions {
  /** The secret of the webhook, such as `whsec_K2pg...`. During a rotation, the old and the new one. */
  secrets: string | readonly string[];
  /** Maximum difference in milliseconds between the time of a delivery and the clock of this machine. Default: 300,000. */
  toleranceMs?: number;
  /** Remembers handled deliveries. Several receiving processes need a shared one. Default: the memory of this process. */
  memory?: DeliveryMemory;
}

/** The headers of a request, from `fetch` or from Node. */
export type WebhookHeaders = Headers | NodeHeaders;
type NodeHeaders = Readonly<Record<string, string | string[] | undefined>>;

const DEFAULT_TOLERANCE_MS = 300_000;

/**
 * Receives the webhook deliveries of the service (Standard Webhooks 1.0). It verifies the signature and the time stamp, and handles each
 * delivery once.
 *
 * @example
 * const receiver = new WebhookReceiver({ secrets: process.env.WEBHOOK_SECRET ?? '' });
 * const handling = await receiver.receive(rawBody, request.headers, (event) => console.log(event.type, event.subject));
 */
export class WebhookReceiver {
  /** Hidden from `console.log`. */
  readonly #keys: Buffer[];
  private readonly toleranceMs: number;
  private readonly memory: DeliveryMemory;

  /** @throws UserAdministrationError `client.option_invalid` */
  constructor({ secrets, toleranceMs = DEFAULT_TOLERANCE_MS, memory }: WebhookReceiverOptions) {
    this.#keys = [secrets].flat().map((secret) => readSecret(secret));
    if (this.#keys.length === 0) throw failure('client.option_invalid', 'At least one secret is required.');
    this.toleranceMs = readMs('toleranceMs', toleranceMs);
    // A time stamp is accepted from `toleranceMs` in the past to `toleranceMs` in the future, in whole seconds.
    this.memory = memory ?? new ProcessMemory(2 * toleranceMs + 1_000);
  }

  /**
   * Verifies a delivery and handles it, unless it was handled before.
   *
   * @param body the unmodified request body: a body that was parsed and serialized again does not match the signature
   * @throws UserAdministrationError `client.webhook_refused`, or the error of `handle`
   */
  async receive(
    body: Uint8Array | string,
    headers: WebhookHeaders,
    handle: (event: WebhookEvent) => unknown,
  ): Promise<Handling> {
    return this.handleOnce(this.verify(body, headers), handle);
  }

  /** Handles a verified event unless it was handled before. */
  handleOnce(event: WebhookEvent, handle: (event: WebhookEvent) => unknown): Promise<Handling> {
    return this.memory.once(event.id, async () => {
      await handle(event);
    });
  }

  /**
   * Verifies signature and time stamp. This does not detect a repeated delivery: use `receive` or `handleOnce` for that.
   *
   * @throws UserAdministrationError `client.webhook_refused`
   */
  verify(body: Uint8Array | string, headers: WebhookHeaders): WebhookEvent {
    if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
      throw refused('the body is neither text nor bytes. Pass the raw body, before it is parsed');
    }
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    this.checkTime(timestamp);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.checkSignature(header(headers, 'webhook-signature'), { id, timestamp, body: bytes });
    return readEvent(bytes, id);
  }

  private checkTime(timestamp: string): void {
    if (!/^\d{1,12}$/.test(timestamp)) throw refused('webhook-timestamp is not a number of seconds');
    const secondsAgo = Math.round(Date.now() / 1_000 - Number(timestamp));
    if (Math.abs(secondsAgo) * 1_000 <= this.toleranceMs) return;
    const apart = secondsAgo > 0 ? `${secondsAgo} s old` : `${-secondsAgo} s in the future`;
    throw refused(`it is ${apart}, according to the clock of this machine`);
  }

  private checkSignature(signatures: string, parts: SignedParts): void {
    const expected = this.#keys.map((key) => signatureOf(key, parts));
    const given = signatures
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => Buffer.from(one.slice(3), 'base64'));
    const matches = given.some((one) => expected.some((it) => one.length === it.length && timingSafeEqual(one, it)));
    if (!matches) throw refused('no signature matches. The secret is another one, or the body was modified');
  }
}

/** A signed body can still be something else than an event, if the secret has another use as well. */
function readEvent(body: Uint8Array, id: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (isObject(event) && event.id === id && typeof event.type === 'string' && isObject(event.data)) {
      return event as unknown as WebhookEvent;
    }
  } catch {
    // Refused below, like any other body that is not an event.
  }
  throw refused('the body is not an event of this service');
}

function header(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as NodeHeaders)[name];
  if (typeof value === 'string' && value !== '') return value;
  throw refused(`the header ${name} is missing or repeated`);
}

function refused(why: string): UserAdministrationError {
  return failure('client.webhook_refused', `The delivery was refused: ${why}.`);
}

function failure(code: string, detail: string): UserAdministrationError {
  return new UserAdministrationError({ code, detail });
}
