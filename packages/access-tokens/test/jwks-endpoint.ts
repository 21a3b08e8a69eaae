import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An identity provider's key set on a free port of this machine, which the test controls, and which counts requests. */
export class JwksEndpoint {
  requests = 0;
  private server: Server | undefined;
  private port = 0;
  private asked = (): void => undefined;

  private constructor(private answer: RequestListener) {}

  static async open(...keys: unknown[]): Promise<JwksEndpoint> {
    const endpoint = new JwksEndpoint(json({ keys }));
    await endpoint.up();
    return endpoint;
  }

  /** An address without a listener until {@link up}. */
  static async down(...keys: unknown[]): Promise<JwksEndpoint> {
    const endpoint = await JwksEndpoint.open(...keys);
    await endpoint.down();
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/jwks.json`;
  }

  publish(...keys: unknown[]): void {
    this.answers(json({ keys }));
  }

  answers(answer: RequestListener): void {
    this.answer = answer;
  }

  /** Resolves when the next request has come. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => (this.asked = resolve));
  }

  async up(): Promise<void> {
    this.server = createServer((request, response) => {
      this.requests++;
      this.answer(request, response);
      this.asked();
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening, and cuts off the requests that still wait for an answer. */
  async down(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

export const json =
  (body: unknown): RequestListener =>
  (_request, response) =>
    respond(response, 200, 'application/json', JSON.stringify(body));

export const text =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    respond(response, status, type, body, headers);

function respond(response: ServerResponse, status: number, type: string, body: string, headers = {}): void {
  response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

/** Takes the request, and never says a word. */
export const silence: RequestListener = () => undefined;

/** Promises a key set, and sends it one space at a time, never getting to its end. */
export const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const dripping = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(dripping));
};
