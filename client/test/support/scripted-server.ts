import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ScriptedRequest {
  method: string;
  /** Including the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The reaction of the server to one request. */
export type Act = (request: ScriptedRequest, socket: Socket) => void;

/**
 * An HTTP server on raw sockets, which can break off anywhere. It performs one act of its script for each request, and the last one
 * for all further requests.
 */
export class ScriptedServer {
  readonly requests: ScriptedRequest[] = [];
  /** Remains set after the server is closed. */
  url = '';
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly script: Act[]) {
    this.server = createServer((socket) => this.serve(socket));
  }

  static async start(...script: Act[]): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(script);
    await new Promise<void>((resolve) => scripted.server.listen(0, '127.0.0.1', resolve));
    scripted.url = `http://127.0.0.1:${(scripted.server.address() as AddressInfo).port}`;
    return scripted;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const read = readRequest(received);
      if (!read) return;
      received = received.subarray(read.length);
      this.requests.push(read.request);
      const act = this.script.length > 1 ? this.script.shift() : this.script[0];
      act?.(read.request, socket);
    });
  }
}

function readRequest(received: Buffer): { request: ScriptedRequest; length: number } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (received.length < length) return undefined;
  const [method = '', path = ''] = first.split(' ');
  return { request: { method, path, headers, body: received.subarray(end + 4, length).toString() }, length };
}

/** Sends a complete answer. An object is sent as JSON. */
export function reply(status: number, body: object | string = '', headers: Record<string, string> = {}): Act {
  return (_request, socket) => {
    socket.write(message(status, body, headers));
  };
}

export function message(status: number, body: object | string, headers: Record<string, string> = {}): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    ...(text !== '' && { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' }),
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n${text}`;
}

/** An error of the service as a problem document. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Act {
  const body = { type: 'about:blank', title: 'Refused', status, detail: `The sentence of ${code}.`, code };
  return reply(status, body, { 'content-type': 'application/problem+json', ...headers });
}

/** Sends the first bytes of an answer and closes the connection. */
export function breakOff(bytes: number, status = 200, body: object = { status: 200, message: 'Done.' }): Act {
  return (_request, socket) => {
    socket.write(message(status, body).slice(0, bytes), () => socket.resetAndDestroy());
  };
}

export const reset: Act = (_request, socket) => {
  socket.resetAndDestroy();
};

export const hang: Act = () => undefined;
