import { connect, type Socket } from 'node:net';

/** A connection on which a test writes arbitrary bytes, and controls when to read. */
export class RawConnection {
  /** The bytes received so far. */
  received = '';
  private readonly socket: Socket;
  private readonly closing: Promise<unknown>;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    // A service that closes a connection may reset it.
    this.socket.on('error', () => undefined);
    this.closing = new Promise((resolve) => this.socket.once('close', resolve));
  }

  /** Starts reading everything that arrives. */
  read(): this {
    this.socket.on('data', (bytes: Buffer) => (this.received += bytes.toString('latin1')));
    return this;
  }

  write(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Resolves once the service has closed it. */
  async closed(): Promise<string> {
    await this.closing;
    return this.received;
  }

  finish(): this {
    this.socket.end();
    return this;
  }

  reset(): this {
    this.socket.resetAndDestroy();
    return this;
  }
}
