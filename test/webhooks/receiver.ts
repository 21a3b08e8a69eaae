import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { WebhookEvent } from '../../src/plugins/webhooks/webhook-types';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  text: string;
  event: WebhookEvent;
}

/** The behaviour of a receiver: it answers with a status, or handles the request itself. */
export type Behaviour = (received: Received, response: ServerResponse) => number | void;

/** A receiver of webhooks on this machine. It keeps the deliveries in the order of arrival. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly watchers = new Set<() => void>();

  private constructor(
    private readonly server: Server,
    /** Can be exchanged at any time. */
    public behaviour: Behaviour,
  ) {}

  static async open(behaviour: Behaviour = () => 204): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, behaviour);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const { method = '', url: path = '', headers } = request;
        const received = { method, path, headers, text: body, event: JSON.parse(body) as WebhookEvent };
        receiver.received.push(received);
        const status = receiver.behaviour(received, response);
        if (status !== undefined) response.writeHead(status).end();
        receiver.watchers.forEach((look) => look());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hooks?of=users`;
  }

  /** Resolves once so many requests have come. */
  async got(count: number): Promise<Received[]> {
    await new Promise<void>((resolve) => {
      const look = () => this.received.length >= count && resolve();
      this.watchers.add(look);
      look();
    });
    return this.received;
  }

  /** The received entries of each user, in order. */
  entriesByUser(): Record<string, string[]> {
    const entries: Record<string, string[]> = {};
    for (const { event } of this.received) (entries[event.data.user ?? ''] ??= []).push(event.data.entry);
    return entries;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
