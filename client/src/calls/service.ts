import type { CallOptions, ClientOptions, PostOptions } from '../client-options.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { Call } from './call.ts';
import { namesOf, refuseUnknown } from './known-names.ts';
import { randomId } from './random-id.ts';
import { isObject } from './read-answer.ts';
import { notLines, readLines } from './read-lines.ts';
import { readHeader, readMs, readRetries, readSettings, type Settings } from './settings.ts';
import { traceHeaders } from './trace.ts';
import type { Method, WireAnswer, WireRequest } from './wire-request.ts';
import { etagHeader, fillPath, given, idempotencyHeader, type Query, queryString, toJson } from './wire.rules.ts';

/** One operation of the service, with its arguments. */
export interface ServiceRequest {
  method: Method;
  /** The path template of the OpenAPI document, such as `/api/users/{id}`. */
  path: string;
  params?: Record<string, string>;
  query?: Query;
  /** The names that the query may have, if it comes from the caller. */
  filters?: readonly string[];
  /** The names of options that this operation has in addition to those of every call. */
  options?: readonly string[];
  body?: unknown;
  /** A body that is no JSON, with its media type. */
  file?: { content: string | Uint8Array<ArrayBuffer>; type: string };
  headers?: Record<string, string | undefined>;
  /** A POST that changes nothing, such as a dry run. It has no idempotency key and can always be retried. */
  changesNothing?: boolean;
  /** Sent without a token. */
  public?: boolean;
  /** The media type of a success whose body is read as a stream. */
  streams?: string;
}

const CALL_OPTIONS = namesOf<CallOptions>({
  signal: true,
  language: true,
  timeoutMs: true,
  deadlineMs: true,
  retries: true,
  requestId: true,
  traceparent: true,
  tracestate: true,
});

/** Calls the service over HTTP. */
export class Service {
  /** Hidden from `console.log` and `JSON.stringify`, because they contain the token. */
  readonly #settings: Settings;

  constructor(options: ClientOptions) {
    this.#settings = readSettings(options);
  }

  /** Calls an operation whose answer is a JSON object, and returns that object. */
  async ask<Body extends object>(request: ServiceRequest, options?: PostOptions): Promise<Body> {
    return bodyOf<Body>(await this.call(request, options));
  }

  /**
   * Calls an operation whose answer is NDJSON, and yields each line. The deadline counts until the first of them; from then on, no part may take
   * longer than an attempt.
   *
   * @throws UserAdministrationError `client.connection_failed` for a line that is cut off
   */
  async *lines(request: ServiceRequest, options: CallOptions = {}): AsyncGenerator<object, void, undefined> {
    const type = 'application/x-ndjson';
    const headers = { ...request.headers, accept: `${type}, application/problem+json` };
    const { body, requestId } = await this.call({ ...request, headers, streams: type }, options);
    const timeoutMs = overrides(options).timeoutMs ?? this.#settings.timeoutMs;
    if (!isStream(body)) throw notLines(requestId);
    yield* readLines(body, { timeoutMs, signal: options.signal, requestId });
  }

  /** @throws UserAdministrationError */
  async call(request: ServiceRequest, options: PostOptions = {}): Promise<WireAnswer> {
    refuseUnknownNames(request, options);
    const settings = { ...this.#settings, ...overrides(options) };
    return new Call(settings, wireRequest(request, options, settings), options.signal).run();
  }
}

/** @throws UserAdministrationError `client.unexpected_answer` */
export function bodyOf<Body extends object>({ status, body, requestId }: WireAnswer): Body {
  if (isObject(body)) return body as Body;
  const detail = `Not an answer of this service: ${status} without a JSON object. Check baseUrl.`;
  throw new UserAdministrationError({ code: 'client.unexpected_answer', detail, status, requestId });
}

/** `instanceof` does not recognize streams of another realm. */
function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return isObject(body) && typeof body.getReader === 'function';
}

function refuseUnknownNames({ method, query = {}, filters, options: own = [] }: ServiceRequest, options: object): void {
  if (filters) refuseUnknown('filter', query, filters);
  const ofMethod = method === 'POST' ? ['idempotencyKey'] : [];
  refuseUnknown('option', options, [...CALL_OPTIONS, ...ofMethod, ...own]);
}

function overrides({ timeoutMs, deadlineMs, retries, language }: CallOptions): Partial<Settings> {
  return {
    ...(timeoutMs !== undefined && { timeoutMs: readMs('timeoutMs', timeoutMs) }),
    ...(deadlineMs !== undefined && { deadlineMs: readMs('deadlineMs', deadlineMs) }),
    ...(retries !== undefined && { retries: readRetries(retries) }),
    ...(language !== undefined && { language: readHeader('language', language) }),
  };
}

function wireRequest(request: ServiceRequest, options: PostOptions, settings: Settings): WireRequest {
  const { method, path } = request;
  const changes = method !== 'GET' && !request.changesNothing;
  const keyed = changes && method === 'POST';
  const idempotencyKey = keyed ? (options.idempotencyKey ?? randomId()) : undefined;
  const ifMatch = etagHeader('ifMatch', request.headers?.['if-match']);
  etagHeader('ifNoneMatch', request.headers?.['if-none-match']);
  const body = request.file?.content ?? (request.body === undefined ? undefined : toJson(request.body));
  return {
    operation: `${method} ${path}`,
    method,
    url: settings.baseUrl + fillPath(path, request.params) + queryString(request.query),
    headers: given({
      accept: 'application/json, application/problem+json',
      'accept-language': settings.language,
      'content-type': request.file?.type ?? (body === undefined ? undefined : 'application/json'),
      'idempotency-key': idempotencyKey === undefined ? undefined : idempotencyHeader(idempotencyKey),
      ...traceHeaders(options, settings.context),
      ...request.headers,
    }),
    body,
    changes,
    idempotencyKey,
    ifMatch,
    public: request.public,
    streams: request.streams,
  };
}
