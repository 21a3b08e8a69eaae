import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeConnection } from './closed-connections';

/** The maximum number of waiting requests of one connection. */
const MAX_WAITING = 100;
/** The maximum number of waiting requests of all connections of a server. */
const MAX_WAITING_IN_ALL = 5_000;

const open = new WeakMap<Duplex, ServerResponse[]>();

/** The unfinished responses of a connection, in the order of their requests. The first one is in progress. */
export function openResponses(socket: Duplex): readonly ServerResponse[] {
  return open.get(socket) ?? [];
}

/**
 * Handles the requests of each connection in order, one at a time. Node would handle pipelined requests concurrently,
 * although one may depend on the previous one (RFC 9112 section 9.3.2).
 *
 * A connection with too many waiting requests is closed: its caller does not read the answers, or never stops sending.
 *
 * Every response emits `close` once, however its connection ends. Not every version of Node emits it for requests that
 * were still waiting.
 */
export function inTurn(handle: RequestListener): RequestListener {
  const turns = new Turns((response) => handle(response.req, response as Parameters<RequestListener>[1]));
  let waiting = 0;

  /** The connection has ended. Where Node emits `close` itself, it has done so before the next turn of the event loop. */
  const abandon = (responses: ServerResponse[]): void => {
    const abandoned = responses.splice(0);
    waiting -= Math.max(0, abandoned.length - 1);
    setImmediate(() => {
      for (const response of abandoned) if (!response.closed) response.emit('close');
    });
  };

  const begin = (socket: Duplex): ServerResponse[] => {
    const responses: ServerResponse[] = [];
    open.set(socket, responses);
    socket.once('close', () => abandon(responses));
    return responses;
  };

  return (request, response) => {
    const { socket } = request;
    // After a connection is closed, Node still parses the data that it had read before.
    if (socket.destroyed) return;
    const responses = open.get(socket) ?? begin(socket);
    response.once('close', () => {
      if (responses[0] !== response) return;
      responses.shift();
      const [next] = responses;
      if (!next) return;
      waiting -= 1;
      turns.later(next);
    });
    responses.push(response);
    if (responses.length === 1) return turns.take(response);
    waiting += 1;
    if (responses.length <= MAX_WAITING + 1 && waiting <= MAX_WAITING_IN_ALL) return;
    closeConnection(socket, 'too many requests waited for the answers before theirs');
  };
}

/**
 * Schedules the pipelined requests of all connections: the first of a connection is handled at once, the others one in
 * each turn of the event loop. Node accepts one connection in a turn, so long turns would delay new callers.
 */
class Turns {
  /** Connections with a request that was handled in this turn. */
  private readonly served = new Set<Duplex>();
  private readonly queue = new Set<ServerResponse>();

  constructor(private readonly handle: (response: ServerResponse) => void) {}

  /** Handles a request that no other request has to wait for. */
  take(response: ServerResponse): void {
    const { socket } = response.req;
    if (this.served.has(socket)) return this.later(response);
    if (this.served.size === 0) setImmediate(() => this.served.clear());
    this.served.add(socket);
    this.handle(response);
  }

  later(response: ServerResponse): void {
    if (this.queue.size === 0) setImmediate(() => this.handleOne());
    this.queue.add(response);
  }

  private handleOne(): void {
    const [first] = this.queue as Iterable<ServerResponse>;
    this.queue.delete(first as ServerResponse);
    if (this.queue.size > 0) setImmediate(() => this.handleOne());
    if (first && !first.req.socket.destroyed) this.handle(first);
  }
}
