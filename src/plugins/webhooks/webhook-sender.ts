import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Destinations } from './destinations';

/** The part of an answer's body that is read before the connection is closed. The content is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The part of a receiver's answer that matters. */
interface WebhookAnswer {
  status: number;
  /** From the `Retry-After` header. */
  retryAfterMs?: number;
}

/**
 * Posts events. It connects to exactly the addresses of the host that it has checked, because a second resolution could
 * return others. It does not follow redirects. Behind the proxy of `NODE_USE_ENV_PROXY`, the proxy resolves the host.
 */
export class WebhookSender {
  constructor(
    private readonly destinations: Destinations,
    private readonly timeoutMs: number,
  ) {}

  /** @throws any error before an answer, such as a timeout or `stop` */
  async post(request: WebhookRequest, stop: AbortSignal): Promise<WebhookAnswer> {
    const abortion = new AbortController();
    const { signal } = abortion;
    const abort = () => abortion.abort(stop.reason);
    const timer = setTimeout(
      () => abortion.abort(new Error(`no answer within ${this.timeoutMs / 1000} s`)),
      this.timeoutMs,
    );
    stop.addEventListener('abort', abort);
    try {
      stop.throwIfAborted();
      const url = this.destinations.read(request.url);
      const { headers, body } = request;
      return await exchange(url, { method: 'POST', headers, lookup: this.checkedAddresses(url), signal }, body);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    }
  }

  /** Node resolves the host when it connects to it, and not when it connects to a proxy. */
  private checkedAddresses(url: URL): LookupFunction {
    return (_hostname, { all }, callback) => {
      this.destinations.addresses(url).then(
        (addresses) => {
          const [first] = addresses;
          if (all) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: Error) => callback(error, ''),
      );
    };
  }
}

/** A connection of its own, through the proxy that Node uses, if any (from Node 24 on). */
function agentFor({ Agent, globalAgent }: typeof http | typeof https): http.Agent {
  const { proxyEnv } = (globalAgent as { options?: { proxyEnv?: object } }).options ?? {};
  return new Agent({ proxyEnv } as http.AgentOptions);
}

/** Once the headers of the answer have arrived, the request has succeeded: its body is not needed. */
function exchange(url: URL, options: http.RequestOptions, body: string): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    let answer: WebhookAnswer | undefined;
    const end = (error: Error) => (answer ? resolve(answer) : reject(error));
    const protocol = url.protocol === 'https:' ? https : http;
    const request = protocol.request(url, { ...options, agent: agentFor(protocol) });
    request.on('error', end);
    request.on('close', () => end(new Error('the connection was closed without an answer')));
    request.on('response', (response) => {
      answer = { status: response.statusCode ?? 0, retryAfterMs: readRetryAfter(response.headers['retry-after']) };
      drain(response);
    });
    request.end(body);
  });
}

function drain(response: http.IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
  });
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,10}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}
