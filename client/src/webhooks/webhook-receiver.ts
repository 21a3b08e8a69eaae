import { timingSafeEqual } from 'node:crypto';
import { refuseUnknownOptions } from '../calls/known-names.ts';
import { isObject } from '../calls/read-answer.ts';
import { readMs } from '../calls/settings.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { type DeliveryMemory, type Handling, ProcessMemory } from './delivery-memory.ts';
import { HeldBodies } from './held-bodies.ts';
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

/**
 * The unmodified body of a request: a body that was parsed and serialized again does not match the signature. A stream, such as the request
 * of Node or the `body` of a `Request`, is read only if the headers can be those of a delivery.
 */
export type WebhookBody = Uint8Array | string | AsyncIterable<Uint8Array>;

const DEFAULT_TOLERANCE_MS = 300_000;
/** The 32 bytes of a signature, between the spaces of the header. */
const SIGNATURE = /(?<=(?:^| )v1,)[A-Za-z0-9+/]{43}=(?= |$)/g;

/**
 * Receives the webhook deliveries of the service (Standard Webhooks 1.0). It verifies the signature and the time stamp, and handles each
 * delivery once.
 *
 * @example
 * const receiver = new WebhookReceiver({ secrets: process.env.WEBHOOK_SECRET ?? '' });
 * const handling = await receiver.receive(request, request.headers, (event) => console.log(event.type, event.subject));
 */
export class WebhookReceiver {
  /** Hidden from `console.log`. */
  readonly #keys: Buffer[];
  private readonly toleranceMs: number;
  private readonly memory: DeliveryMemory;
  private readonly bodies = new HeldBodies();

  /** @throws UserAdministrationError `client.option_invalid` */
  constructor(options: WebhookReceiverOptions) {
    refuseUnknownOptions(options, { secrets: true, toleranceMs: true, memory: true });
    const { secrets, toleranceMs = DEFAULT_TOLERANCE_MS, memory } = options;
    this.#keys = [secrets].flat().map((secret) => readSecret(secret));
    if (this.#keys.length === 0) throw failure('client.option_invalid', 'At least one secret is required.');
    this.toleranceMs = readMs('toleranceMs', toleranceMs);
    // A time stamp is accepted from `toleranceMs` in the past to `toleranceMs` in the future, in whole seconds.
    this.memory = memory ?? new ProcessMemory(2 * toleranceMs + 1_000);
  }

  /**
   * Verifies a delivery and handles it, unless it was handled before.
   *
   * @throws UserAdministrationError as `read`, or the error of `handle`
   */
  async receive(
    body: WebhookBody,
    headers: WebhookHeaders,
    handle: (event: WebhookEvent) => unknown,
  ): Promise<Handling> {
    return this.handleOnce(await this.read(body, headers), handle);
  }

  /** Handles a verified event unless it was handled before. */
  handleOnce(event: WebhookEvent, handle: (event: WebhookEvent) => unknown): Promise<Handling> {
    return this.memory.once(event.id, async () => {
      await handle(event);
    });
  }

  /**
   * Verifies a delivery. Reads nothing of a stream whose headers are missing, malformed or too old. All streams together have a limit of
   * 32 MiB in memory, and each has a limit of 16 MiB.
   *
   * @throws UserAdministrationError `client.webhook_refused`; `client.webhook_too_large`; `client.webhook_busy`, which passes
   */
  async read(body: WebhookBody, headers: WebhookHeaders): Promise<WebhookEvent> {
    if (!isStream(body)) return this.verify(body, headers);
    this.readHeaders(headers);
    return this.bodies.use(body, (bytes) => this.verify(bytes, headers));
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
    const { id, timestamp, signatures } = this.readHeaders(headers);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.checkSignature(signatures, { id, timestamp, body: bytes });
    return readEvent(bytes, id);
  }

  /** @throws UserAdministrationError `client.webhook_refused` if no body can make a delivery of these headers */
  private readHeaders(headers: WebhookHeaders): { id: string; timestamp: string; signatures: Buffer[] } {
    const id = header(headers, 'webhook-id');
    if (!/^[!-~]{1,255}$/.test(id)) throw refused('webhook-id is not an id');
    const timestamp = header(headers, 'webhook-timestamp');
    this.checkTime(timestamp);
    const signatures = header(headers, 'webhook-signature').match(SIGNATURE) ?? [];
    if (signatures.length === 0) throw refused('no signature matches: webhook-signature has none of version v1');
    return { id, timestamp, signatures: signatures.map((one) => Buffer.from(one, 'base64')) };
  }

  private checkTime(timestamp: string): void {
    if (!/^\d{1,12}$/.test(timestamp)) throw refused('webhook-timestamp is not a number of seconds');
    const secondsAgo = Math.round(Date.now() / 1_000 - Number(timestamp));
    if (Math.abs(secondsAgo) * 1_000 <= this.toleranceMs) return;
    const apart = secondsAgo > 0 ? `${secondsAgo} s old` : `${-secondsAgo} s in the future`;
    throw refused(`it is ${apart}, according to the clock of this machine`);
  }

  private checkSignature(signatures: Buffer[], parts: SignedParts): void {
    const expected = this.#keys.map((key) => signatureOf(key, parts));
    const matches = signatures.some((one) =>
      expected.some((it) => one.length === it.length && timingSafeEqual(one, it)),
    );
    if (!matches) throw refused('no signature matches. The secret is another one, or the body was modified');
  }
}

function isStream(body: WebhookBody): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
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
