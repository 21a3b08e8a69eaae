import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const HEADER_BYTES = 12;
const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };

/** The addresses of a name, as the bytes of each. Undefined does not answer. */
type Zone = (type: 'A' | 'AAAA') => number[][] | undefined;

/** A name server on this machine, which answers every name alike (RFC 1035). */
export class NameServer {
  asked = 0;

  private constructor(private readonly socket: Socket) {}

  static async open(zone: Zone): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(socket);
    socket.on('message', (query, { port, address }) => {
      server.asked += 1;
      const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
      const type = question.readUInt16BE(question.length - 4);
      const found = zone(TYPES[type] ?? 'A');
      if (!found) return;
      const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0]);
      const records = found.map((bytes) =>
        Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
      );
      socket.send(Buffer.concat([header, question, ...records]), port, address);
    });
    return server;
  }

  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(resolve));
  }
}
