import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { message } from './scripted-server.ts';

/** The number of bytes of the answer after which the connection breaks (0: before the request is forwarded), or another answer. */
export type ProxyFault = number | 'bad gateway' | 'silence';

/**
 * A proxy between a client and a service. The header `x-fault` of a request selects its fault; the rest of each
 * connection is forwarded unchanged.
 */
export class FaultyProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((socket) => this.serve(socket));
  }

  static async start(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(new URL(target));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    const upstream = connect(Number(this.target.port), this.target.hostname);
    let left = Infinity;
    let fault: ProxyFault | undefined;
    for (const end of [socket, upstream]) {
      this.sockets.add(end);
      end.on('error', () => undefined);
      end.on('close', () => {
        this.sockets.delete(end);
        socket.destroy();
        upstream.destroy();
      });
    }
    socket.on('data', (chunk) => {
      fault = faultIn(chunk) ?? fault;
      if (fault === 0) return socket.resetAndDestroy();
      if (typeof fault === 'number') left = fault;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (fault === 'silence') return;
      if (fault === 'bad gateway') return socket.end(message(502, '<h1>Bad Gateway</h1>'));
      socket.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) socket.resetAndDestroy();
    });
  }
}

function faultIn(chunk: Buffer): ProxyFault | undefined {
  const [, value] = /^x-fault: (.*)\r$/im.exec(chunk.toString('latin1')) ?? [];
  if (value === undefined) return undefined;
  return /^\d+$/.test(value) ? Number(value) : (value as ProxyFault);
}
