import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Emulator } from './emulator';
import { explain, isRefusal } from './explain';
import { type Asked, CONTROLS } from './controls';
import type { KeyPair } from './issuer';
import { refuseUnknownNames } from './known-names';

export interface ControlAddress {
  /** 0 takes a free port. */
  port: number;
  host: string;
}

const DISCOVERY = '/.well-known/openid-configuration';
const KEY_SET = '/jwks.json';
const MOST_BYTES = 16 * 1024 * 1024;

/** An answer to a request that no control takes. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The controls of a test, and the key set of its tokens, on a port beside the service. They run in the service's process. */
export class ControlServer {
  private emulator: Emulator | undefined;

  private constructor(
    private readonly server: Server,
    private readonly keyPair: KeyPair | undefined,
    /** The address at which this machine reaches it. */
    readonly url: string,
  ) {}

  /** It answers 503 until `serve` has been called, but for the key set, which the service itself asks for. */
  static async listen({ port, host }: ControlAddress, keyPair: KeyPair | undefined): Promise<ControlServer> {
    const server = createServer();
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const said = `The controls cannot listen on port ${port} of ${host} (${code ?? message}). Choose another one.`;
      throw new Error(said, { cause: error });
    }
    const controls = new ControlServer(server, keyPair, addressOf(server.address() as AddressInfo));
    server.on('request', (request, response) => void controls.answer(request, response));
    return controls;
  }

  get keySetUrl(): string {
    return this.url + KEY_SET;
  }

  serve(emulator: Emulator): void {
    this.emulator = emulator;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.answerTo(request, response);
      if (answer === undefined) response.writeHead(204).end();
      else send(response, 200, answer);
    } catch (error) {
      const { status, headers } = error instanceof Refusal ? error : { status: isRefusal(error) ? 400 : 500 };
      send(response, status, { message: explain(error) }, headers);
    }
  }

  private async answerTo(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
    if (path === DISCOVERY || path === KEY_SET) {
      requireMethod(request, 'GET');
      requireQuery(query, {});
      return this.publicKeys(path, request);
    }
    const control = Object.hasOwn(CONTROLS, path) ? CONTROLS[path] : undefined;
    if (!control) throw new Refusal(404, `There is no control ${path.slice(0, 100)}. There are ${known()}.`);
    requireMethod(request, control.method);
    const params = requireQuery(query, control.query ?? {});
    const body = control.method === 'POST' ? await readBody(request) : {};
    if (!this.emulator) throw new Refusal(503, 'The service is starting.', { 'retry-after': '1' });
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    return control.answer(this.emulator, { body, query: params, gone: gone.signal });
  }

  /** The key set is named as this caller reaches it: the port of a container can be another one outside. */
  private publicKeys(path: string, { headers }: IncomingMessage): unknown {
    if (!this.keyPair) throw new Refusal(404, 'There is no key set: tokens are signed by HS256 here. RS256 has one.');
    if (path === KEY_SET) return this.keyPair.keySet;
    return {
      issuer: this.emulator?.tokenIssuer ?? this.url,
      jwks_uri: headers.host === undefined ? this.keySetUrl : `http://${headers.host}${KEY_SET}`,
      response_types_supported: ['token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }
}

function addressOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function known(): string {
  return [
    ...Object.entries(CONTROLS).map(([path, { method }]) => `${method} ${path}`),
    `GET ${DISCOVERY}`,
    `GET ${KEY_SET}`,
  ].join(', ');
}

function requireMethod(request: IncomingMessage, method: 'GET' | 'POST'): void {
  if (request.method === method || (method === 'GET' && request.method === 'HEAD')) return;
  throw new Refusal(405, `${request.method} is not possible here: ask by ${method}.`, { allow: method });
}

function requireQuery(text: string, names: Readonly<Record<string, true>>): Asked['query'] {
  const query = new URLSearchParams(text);
  refuseUnknownNames<object>('The query has', Object.fromEntries(query), names as Record<never, true>, 'parameter');
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) throw new RangeError(`Give ${twice} once.`);
  return query;
}

/** An empty body has no field, as `{}`. */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // What follows is read and dropped: a caller that is still sending would otherwise not read the answer.
    if (bytes <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > MOST_BYTES)
    throw new Refusal(413, 'A body can have 16 MiB at most. A larger directory is loaded at the start.');
  if (bytes === 0) return {};
  const body = parse(Buffer.concat(chunks));
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new RangeError('The body must be a JSON object, such as {}.');
}

function parse(bytes: Buffer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new RangeError(`The body is not JSON in UTF-8: ${(error as Error).message}`);
  }
  try {
    JSON.stringify(body);
  } catch {
    throw new RangeError('The body is nested too deeply.');
  }
  return body;
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(body));
}
