import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * One keep-alive connection, one request at a time. It knows just enough of HTTP/1.1 for answers that tell their length,
 * because it shares the machine with what it measures: a whole client would spend as much time as the server.
 */
export class HttpConnection {
  private received: Buffer = Buffer.alloc(0);
  private settle: ((status: number) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('error', (error) => this.fail?.(error));
    socket.on('close', () => this.fail?.(new Error('The server closed the connection.')));
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** @returns the status of the answer, once all of it is here */
  send(request: string): Promise<number> {
    return new Promise((settle, fail) => {
      this.settle = settle;
      this.fail = fail;
      this.socket.write(request);
    });
  }

  close(): void {
    this.settle = this.fail = undefined;
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.received.toString('latin1', 0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) {
      this.fail?.(new Error('The answer does not tell its length.'));
      return;
    }
    if (this.received.length < headEnd + HEAD_END.length + length) return;
    this.received = Buffer.alloc(0);
    this.settle?.(Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)));
  }
}

/** The bytes of a request with a JSON body. */
export function postRequest(path: string, token: string, body: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'accept-language: de-CH, fr;q=0.9, en;q=0.5',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
