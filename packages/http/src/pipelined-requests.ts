import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeConnection } from './closed-connections';

/** Node keeps an object for each of these until the connection ends. */
const MAX_IGNORED = 100;

const inProgress = new WeakMap<Duplex, { response: ServerResponse; ignored: number }>();

/** The response in progress on a connection. */
export function responseOn(socket: Duplex): ServerResponse | undefined {
  return inProgress.get(socket)?.response;
}

/**
 * Whether the request came before the response to the previous one was sent: Node gives its response no connection yet.
 */
export function isPipelined(response: ServerResponse): boolean {
  return response.socket === null;
}

/**
 * Handles one request of a connection at a time. A caller that sends another one too early gets the response in
 * progress, with `Connection: close`, and then the connection is closed, so it must send the others again (RFC 9112
 * section 9.3.2). Node would handle them concurrently, although one may depend on the previous one.
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    // After a connection is closed, Node still parses the data that it had read before.
    if (socket.destroyed) return;
    if (isPipelined(response)) return closeAfterResponse(socket);
    inProgress.set(socket, { response, ignored: 0 });
    response.once('close', () => inProgress.delete(socket));
    handle(request, response);
  };
}

/** Ignores what came on this connection too early, and closes the connection once the response in progress is sent. */
export function closeAfterResponse(socket: Duplex): void {
  const current = inProgress.get(socket);
  if (!current) return;
  current.ignored += 1;
  if (current.ignored > MAX_IGNORED) return closeConnection(socket, 'too much came before the answer');
  if (current.ignored > 1) return;
  const { response } = current;
  if (!response.headersSent) response.setHeader('Connection', 'close');
  response.once('finish', () => socket.end());
}
