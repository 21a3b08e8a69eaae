import { connect, type Socket } from 'node:net';
import type { Answer } from './ask';

/**
 * Sends exactly these bytes, and reads one answer until the service closes the connection: for requests that no client
 * library sends. The request should ask for `Connection: close`.
 */
export async function rawRequest(url: string, bytes: string | Buffer): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(bytes);
  return readAnswer(socket);
}

/** Reads the answer on a connection until the service closes it. */
export async function readAnswer(socket: Socket): Promise<Answer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of socket) chunks.push(chunk as Buffer);
  } catch (error) {
    // A service that refuses early may reset a connection while the test still writes. The received answer counts.
    if (chunks.length === 0) throw error;
  }
  return parseAnswer(Buffer.concat(chunks).toString());
}

function parseAnswer(answer: string): Answer {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1));
  return { status: Number(statusLine.split(' ')[1]), headers, text: rest.join('\r\n\r\n') };
}
