import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeConnection } from './closed-connections';

/** Requests of one connection that may wait for the answers to those before them. */
const MAX_WAITING = 100;
/** The same for all connections of a server together. */
const MAX_WAITING_IN_ALL = 5_000;

const open = new WeakMap<Duplex, ServerResponse[]>();

/** The responses of a connection that are not over yet, in the order of their requests. The first one is being worked on. */
export function openResponses(socket: Duplex): readonly ServerResponse[] {
  return open.get(socket) ?? [];
}

/**
 * Handles the requests of each connection one after the other, in the order in which they came. Node would handle pipelined
 * requests at the same time, although one may depend on the one before it (RFC 9112 section 9.3.2).
 *
 * A connection on which too many requests wait is closed: its caller does not take the answers, or sends without end.
 *
 * Every response emits `close` once, however its connection ends. Node does not emit it for those that still waited.
 */
export function inTurn(handle: RequestListener): RequestListener {
  const turns = new Turns((response) => handle(response.req, response as Parameters<RequestListener>[1]));
  let waiting = 0;

  /** The connection has ended. Node emits `close` for the response that has the socket. */
  const abandon = (responses: ServerResponse[]): void => {
    const abandoned = responses.splice(0);
    waiting -= Math.max(0, abandoned.length - 1);
    for (const response of abandoned) if (response.socket === null) response.emit('close');
  };

  const begin = (socket: Duplex): ServerResponse[] => {
    const responses: ServerResponse[] = [];
    open.set(socket, responses);
    socket.once('close', () => abandon(responses));
    return responses;
  };

  return (request, response) => {
    const { socket } = request;
    // The rest of what had been read when the connection was closed: Node goes on through it.
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
 * Of the requests that a connection pipelines, one is handled at once. The others are handled one in each turn of the event loop, over
 * all connections. Node accepts one connection in a turn, so long turns would keep newcomers out.
 */
class Turns {
  /** Connections of which a request was handled in this turn. */
  private readonly served = new Set<Duplex>();
  private readonly queue = new Set<ServerResponse>();

  constructor(private readonly handle: (response: ServerResponse) => void) {}

  /** Handles a request for whose answer no other one has to wait. */
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
